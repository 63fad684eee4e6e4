"""The pages of the portal, made from templates that escape whatever they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jinja2 import Environment, PackageLoader, StrictUndefined

from ods_fingerprint import OdsError

from .._version import VERSION
from . import show
from .backend import Engine
from .figure_table import table
from .sheet import Sheet

_PARTS = ("status", "trip", "checks", "figures", "record")
_LISTED = 50
DOWN = {
    "status": '<p class="status lost"><span class="mark" aria-hidden="true">✗</span> '
    "Dagster does not answer; this page tries again by itself</p>"
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What a start form holds when it is shown."""

    first: str
    second: str
    rows: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """What makes a form this site's, and one press of its button one proof."""

    token: str
    key: str


@dataclass(frozen=True, slots=True)
class Pages:
    """The templates, and the prefix of all links."""

    prefix: str
    most_rows: int
    environment: Environment = field(init=False)

    def __post_init__(self) -> None:
        made = Environment(
            loader=PackageLoader("ods_proof.portal"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        made.globals.update(base=self.prefix, version=VERSION, show=show, slug=slug)
        object.__setattr__(self, "environment", made)

    def home(
        self,
        user: str | None,
        ticket: Ticket,
        engines: Sequence[Engine],
        choice: Choice,
        proofs: Sequence[Sheet],
        *,
        off: bool = False,
        told: str | None = None,
        waits: str | None = None,
    ) -> str:
        """Return the page to start a proof from, with what was proved before."""
        return self._page(
            "home.html",
            user=user,
            ticket=ticket,
            engines=engines,
            choice=choice,
            most_rows=self.most_rows,
            matrix=matrix([engine.name for engine in engines], proofs),
            proofs=proofs[:_LISTED],
            pairs=pairs(engines),
            off=off,
            told=told,
            waits=waits,
        )

    def proof(self, user: str | None, token: str, sheet: Sheet) -> str:
        """Return the page of one proof."""
        parts = self.parts(sheet)
        return self._page("proof.html", user=user, token=token, sheet=sheet, parts=parts)

    def parts(self, sheet: Sheet) -> dict[str, str]:
        """Return the parts of a proof's page that change while it runs, the same for all users."""
        given: dict[str, object] = {"sheet": sheet, "table": None, "fault": None}
        try:
            given["table"] = table(sheet.steps, show.step_titles(sheet.order))
        except OdsError as error:  # a record that someone else wrote
            given["fault"] = str(error)
        found = {name: self._page(f"part_{name}.html", **given) for name in _PARTS}
        return {**found, "title": f"{show.state(sheet)} · {show.title(sheet.order)}"}

    def error(self, status: int, text: str, again: str | None = None) -> str:
        """Return a page that says why there is no other; `again` is a link that may help."""
        return self._page("error.html", user=None, status=status, text=text, again=again)

    def _page(self, template: str, **given: object) -> str:
        return self.environment.get_template(template).render(given)


def matrix(names: Sequence[str], proofs: Sequence[Sheet]) -> dict[str, dict[str, Sheet | None]]:
    """Return the latest verdict of each pair, first engines down, second ones across."""
    latest: dict[tuple[str, str], Sheet] = {}
    for sheet in proofs:
        if sheet.state in ("passed", "failed", "broken"):
            latest.setdefault((sheet.order.first, sheet.order.second), sheet)
    return {a: {b: latest.get((a, b)) for b in names} for a in names}


def pairs(engines: Sequence[Engine]) -> Mapping[str, str]:
    """Return what each pair of implementations proves, by a name for the style sheet."""
    kinds = dict.fromkeys(engine.implementation for engine in engines)
    return {f"{slug(a)}-{slug(b)}": show.proves(a, b) for a in kinds for b in kinds}


def slug(implementation: str) -> str:
    """Return the name of a Delta implementation that the style sheet knows."""
    return {"delta-rs": "rs", "delta-kernel": "kernel", "Delta Lake (JVM)": "jvm"}.get(
        implementation, "other"
    )
