"""The data files of the package: dialects and spec, inside the wheel or beside it in a checkout."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from .errors import DialectError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from importlib.resources.abc import Traversable
    else:
        from importlib.abc import Traversable

# what TOML holds, but for dates, of which a dialect file has none
Toml: TypeAlias = "str | int | float | list[Toml] | dict[str, Toml]"

# a name that people use → the file that serves it
ALIASES = {"databricks": "spark"}


def folder(name: str) -> Traversable:
    """Return the folder `name` (dialects or spec) of the installed package or the checkout."""
    inside = files("ods_fingerprint").joinpath(name)
    return inside if inside.is_dir() else Path(__file__).parent.parent / name


def dialect_names() -> tuple[str, ...]:
    """Return every dialect name that ships with the package, sorted."""
    shipped = {
        entry.name[: -len(".toml")]
        for entry in folder("dialects").iterdir()
        if entry.name.endswith(".toml")
    }
    return tuple(sorted(shipped | set(ALIASES)))


def dialect_table(name: str) -> dict[str, Toml]:
    """Return a dialect file as TOML gives it: a shipped name, or the path of a file (*.toml)."""
    return parsed(name, dialect_text(name))


@lru_cache(maxsize=64)
def parsed(name: str, text: str) -> dict[str, Toml]:
    """Return the text of a dialect file as TOML gives it."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DialectError(f"{name}: not a TOML file: {error}") from None


def dialect_text(name: str) -> str:
    """Return the text of a dialect file as it is now: people edit their own between two calls."""
    if name.endswith(".toml"):
        try:
            return Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DialectError(f"cannot read the dialect file {name}: {error}") from None
    if name not in dialect_names():
        known = ", ".join(dialect_names())
        raise DialectError(f"no dialect {name!r}; known: {known}, or the path of a .toml file")
    return (
        folder("dialects").joinpath(f"{ALIASES.get(name, name)}.toml").read_text(encoding="utf-8")
    )
