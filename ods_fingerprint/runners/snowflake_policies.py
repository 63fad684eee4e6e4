"""Policies of Snowflake that make a role see other data than is stored: each gives a note."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_SEEN = "the fingerprint is of what this role sees"
_QUESTION = (
    "SELECT POLICY_KIND, POLICY_DB || '.' || POLICY_SCHEMA || '.' || POLICY_NAME AS POLICY\n"
    "FROM TABLE({place}.INFORMATION_SCHEMA.POLICY_REFERENCES(\n"
    "  REF_ENTITY_NAME => '{table}', REF_ENTITY_DOMAIN => '{domain}'))"
)
_HIDES = "ROW_ACCESS_POLICY"


def masking(described: Iterable[Mapping[str, str | None]], kept: Iterable[str]) -> list[str]:
    """Return a note for each column of `kept` that DESCRIBE TABLE names a masking policy of."""
    policies = {row["name"]: row.get("policy name") for row in described}
    return [
        f"{name}: masking policy {policy} is set: {_SEEN}"
        for name in kept
        if (policy := policies.get(name))
    ]


def row_access(references: Iterable[Mapping[str, str | None]]) -> list[str]:
    """Return a note for each row access policy among the references of `question`."""
    named = sorted({row["policy"] or "" for row in references if row["policy_kind"] == _HIDES})
    return [f"row access policy {policy} is set: {_SEEN}" for policy in named]


def question(place: str, table: str, domain: str) -> str:
    """Return the statement that asks which policies are set on a table or view.

    `place` is the database whose INFORMATION_SCHEMA answers, `table` the quoted name.
    """
    quoted = '"' + place.replace('"', '""') + '"'
    literal = table.replace("\\", "\\\\").replace("'", "''")
    return _QUESTION.format(place=quoted, table=literal, domain=domain)
