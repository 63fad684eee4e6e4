"""An `ODS_PROOF_AUTHORIZE` that says no."""


def nobody(user: str | None, permission: str) -> bool:
    assert permission == "proof:run"
    return False
