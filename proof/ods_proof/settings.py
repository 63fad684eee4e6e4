"""What the environment says: the settings of an install."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from .errors import SettingError

Authorize: TypeAlias = "Callable[[str | None, str], bool]"
Data = Literal["generic", "off", "all"]
PERMISSION = "proof:run"
_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a proof, as the environment gives them."""

    data: Data = "generic"
    sandbox: str | None = None
    rows: int = _ROWS
    records: str | None = None
    authorize: str | None = None

    def refuse(self) -> None:
        """Raise SettingError where no proof may run here."""
        if self.data == "off":
            raise SettingError(
                "proofs are switched off here: ODS_PROOF is off; generic switches them on"
            )
        if self.data == "all":
            raise SettingError(
                "ODS_PROOF is all: a proof on actual data needs roles, which do not exist yet; "
                "generic proves the generated table"
            )

    def may_run(self, user: str | None) -> bool:
        """Return whether a user may start a proof: everyone may, if nothing else is set."""
        return self.asks()(user, PERMISSION)

    def asks(self) -> Authorize:
        """Return the function that is asked; raise SettingError if there is none of that name."""
        return _authorize(self.authorize)


def read(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings of an environment; raise SettingError for a value that means nothing."""
    return Settings(
        _data(environment.get("ODS_PROOF") or "generic"),
        environment.get("ODS_PROOF_SANDBOX") or None,
        _rows(environment.get("ODS_PROOF_ROWS") or str(_ROWS)),
        environment.get("ODS_PROOF_RECORDS") or None,
        environment.get("ODS_PROOF_AUTHORIZE") or None,
    )


def _data(text: str) -> Data:
    for known in get_args(Data):
        if text == known:
            found: Data = known
            return found
    raise SettingError(f"ODS_PROOF is {text!r}; it can be: {', '.join(get_args(Data))}")


def _rows(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1_000_000_000:
        raise SettingError(f"ODS_PROOF_ROWS is {text!r}; it is a number of rows, 1 to 1000000000")
    return int(text)


def _everyone(user: str | None, permission: str) -> bool:
    return True


def _authorize(name: str | None) -> Authorize:
    if name is None:
        return _everyone
    module, colon, function = name.partition(":")
    try:
        found: Authorize = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise SettingError(
            f"ODS_PROOF_AUTHORIZE is {name!r}, not module:function: {error}"
        ) from error
    if not colon or not callable(found):
        raise SettingError(f"ODS_PROOF_AUTHORIZE is {name!r}, not module:function")
    return found
