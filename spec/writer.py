"""The writer of vectors/v1: every case of cases_*.py, with what the reference answers to it."""

import json
from pathlib import Path

import reference


def answer(vector):
    """What version 1 says to a vector's question: the keys that the writer adds to it."""
    return ANSWERS[vector["kind"]](vector)


def answer_value(vector):
    text = reference.canonical_text(vector["type"], vector["value"], vector.get("unit", "us"))
    return {"text": text, "hash": str(reference.hash_of(text))}


def answer_column(vector):
    return {
        "figures": reference.figures(vector["type"], vector["values"], vector.get("unit", "us"))
    }


def answer_table(vector):
    return {
        "row": reference.row_names(vector["columns"]),
        "fingerprint": reference.fingerprint(vector["columns"], vector["rows"]),
    }


def answer_compare(vector):
    options = {key: vector[key] for key in ("rename", "skip", "columns") if key in vector}
    try:
        found = reference.compare(vector["a"], vector["b"], **options)
    except reference.Refused as refused:
        return {"error": True, "reason": refused.reason, "exit": 2}
    notes = [{"column": column, "contains": keyword} for column, keyword in found["notes"]]
    code = reference.exit_code(found["verdict"], vector.get("allow_partial", False))
    return found | {"notes": notes, "exit": code}


def answer_refuse(vector):
    try:
        ask_refused(vector)
    except reference.Refused as refused:
        return {"reason": refused.reason}
    return {"reason": None}


def ask_refused(vector):
    if vector["what"] == "schema":
        reference.check_schema(vector["columns"])
    elif vector["what"] == "fingerprint":
        reference.read(vector["text"] if "text" in vector else json.dumps(vector["fingerprint"]))
    else:
        value = bytes.fromhex(vector["bytes"]) if "bytes" in vector else vector["value"]
        reference.canonical_text(vector["type"], value, vector.get("unit", "us"))


ANSWERS = {
    "value": answer_value, "column": answer_column, "table": answer_table,
    "compare": answer_compare, "refuse": answer_refuse,
}  # fmt: skip


def files():
    """Every vector file as {name: text}; a case that its author expected otherwise stops the writer."""
    import cases_compare
    import cases_tables
    import cases_values

    topics = cases_values.TOPICS | cases_tables.TOPICS | cases_compare.TOPICS
    return {f"{topic}.json": file_text(topic, cases) for topic, cases in topics.items()}


def file_text(topic, cases):
    vectors = [answered(f"{topic}-{n:03d}", case) for n, case in enumerate(cases, 1)]
    lines = ",\n".join("  " + json.dumps(vector, allow_nan=False) for vector in vectors)
    return f'{{"spec": "{reference.SPEC}", "topic": "{topic}", "vectors": [\n{lines}\n]}}\n'


def answered(name, case):
    question = {key: value for key, value in case.items() if not key.startswith("expect")}
    found = answer(question)
    expected = case.get("expect", {})
    told = {key: found.get(key) for key in expected}
    if "expect_differences" in case:
        expected = expected | {"differences": case["expect_differences"]}
        told["differences"] = [[d["column"], d["figure"]] for d in found.get("differences", [])]
    if told != expected:
        raise SystemExit(f"{name}: the case says {expected!r}, the reference {told!r}")
    return {"id": name} | question | found


def main(arguments):
    folder = Path(__file__).resolve().parent / "vectors" / "v1"
    wanted = files()
    stale = sorted({path.name for path in folder.glob("*.json")} - set(wanted))
    changed = [
        n
        for n, text in wanted.items()
        if not (folder / n).exists() or (folder / n).read_bytes() != text.encode()
    ]
    if "--check" in arguments:
        print(
            "\n".join(f"differs: {name}" for name in stale + changed)
            or "all vector files are as written"
        )
        return 1 if stale or changed else 0
    for name in stale:
        (folder / name).unlink()
    for name in changed:
        (folder / name).write_bytes(wanted[name].encode())
    print(f"{len(changed)} of {len(wanted)} files written, {len(stale)} removed")
    return 0
