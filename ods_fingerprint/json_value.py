"""Parsed JSON or TOML, narrowed by what it is."""

from __future__ import annotations

from typing import TypeGuard


def is_object(value: object) -> TypeGuard[dict[str, object]]:
    """Return whether a parsed value is an object: its keys are texts."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[object]]:
    """Return whether a parsed value is a list."""
    return isinstance(value, list)


def is_texts(value: object) -> TypeGuard[list[str]]:
    """Return whether a parsed value is a list of texts."""
    return is_list(value) and all(isinstance(item, str) for item in value)
