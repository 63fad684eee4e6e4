"""What can go wrong, as a tree.

ProofError              bad use, or an install that cannot run a proof
├── EngineMissing       an engine that is not here, with the way to get it
├── SettingError        a setting that means nothing
├── ContractError       a contract that cannot be read
├── SandboxError        a sandbox that cannot be made or must not be touched
└── Refused             an engine that says it cannot: a feature of a table, a type
"""

from __future__ import annotations


class ProofError(Exception):
    """Base of every error that a user can mend."""


class EngineMissing(ProofError):
    """An engine that is not installed."""


class SettingError(ProofError):
    """A setting with a value that means nothing."""


class ContractError(ProofError):
    """A contract that cannot be read."""


class SandboxError(ProofError):
    """A sandbox that cannot be made, or a folder that is none."""


class Refused(ProofError):
    """What an engine will not do, by its own word."""
