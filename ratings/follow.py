"""Following a ladder's ledger: its fold in batches, its rebuild, its corrections.

Safe to run any number of times, at once and by anybody: see ``storage.folding``.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from service.logging import get
from storage import folding, ledger
from storage.database import Database, Transaction
from storage.errors import Stale
from storage.folding import ChangeRow, Progress, RatingRow

from .fold import Change, Entry, Folded, Standing, corrected, fold, touched_by
from .trueskill_model import Skill

BATCH = 200
"""Entries folded in one transaction: enough to make its cost small beside TrueSkill's."""

PREVIEWED = 20_000
"""Entries that a preview folds at most: some ten seconds."""

_PAGE = 1000
_log = get("ratings")
_BEYOND = 2**62


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild found. ``stored`` and ``rebuilt``: SHA-256 over all ratings and changes, hex.

    ``difference``: the first line that differs, as stored and as rebuilt; None if none does.
    """

    entries: int
    players: int
    stored: str
    rebuilt: str
    difference: str | None
    rewritten: bool

    @property
    def equal(self) -> bool:
        return self.stored == self.rebuilt


def fold_ladder(database: Database, ladder_id: int, limit: int | None = None) -> int:
    """Folds what the ledger has and the ratings lack, at most ``limit`` entries. Returns how many.

    Without a limit the ratings held the whole ledger at one moment before it returns.
    Ends the ladder's fold job when they do, and only then: callers leave that job alone.
    """
    done = 0
    while limit is None or done < limit:
        size = BATCH if limit is None else min(BATCH, limit - done)
        try:
            folded = _fold_batch(database, ladder_id, size)
        except Stale:  # another writer folded this batch
            continue
        if folded == 0:
            break
        done += folded
    return done


def rebuild(database: Database, ladder_id: int, rewrite: bool = False) -> Rebuilt:
    """Folds a ladder's ledger from its beginning and compares with what is stored, byte for byte.

    Only the entries that have been folded are rebuilt. ``rewrite``: where it differs,
    what is stored is replaced, in one transaction.
    """
    while True:
        with database.reading() as tx:
            at = folding.progress(tx, ladder_id)
            found = _compare(tx, ladder_id, at)
        if found.equal or not rewrite:
            return found
        try:
            _refold(database, ladder_id, at, at.folded)
        except Stale:  # it moved on meanwhile
            continue
        return Rebuilt(found.entries, found.players, found.stored, found.rebuilt, found.difference, True)


@dataclass(frozen=True, slots=True)
class Moved:
    """What a player shows before and after; None: it is not rated then."""

    player_id: int
    before: float | None
    after: float | None


def preview(tx: Transaction, ladder_id: int, place: int, content: Mapping[str, Any]) -> list[Moved] | None:
    """What a correction of the entry at ``place`` by ``content`` would do to what players show, the largest
    move first. Changes nothing. None: the ledger is too long to be folded while somebody waits."""
    at = folding.progress(tx, ladder_id)
    if at.folded > PREVIEWED:
        return None
    after: dict[int, Standing] = {}
    for _, folded in _walk(
        tx, ladder_id, at, at.folded, [Entry(at.folded, ledger.CORRECTION, content, place)]
    ):
        after.update(folded.standings)
    before = {row.player_id: row.shown for row in folding.standings(tx, ladder_id)}
    then = {player: standing.skill.shown for player, standing in after.items()}
    moved = [
        Moved(player, before.get(player), then.get(player))
        for player in before.keys() | then.keys()
        if before.get(player) != then.get(player)
    ]
    return sorted(moved, key=lambda one: (-abs((one.after or 0) - (one.before or 0)), one.player_id))


def _fold_batch(database: Database, ladder_id: int, size: int) -> int:
    with database.reading() as tx:
        at = folding.progress(tx, ladder_id)
        rows = ledger.entries(tx, ladder_id, at.folded, size)
        entries = [_entry(row) for row in rows]
        plain = list(takewhile(lambda entry: entry.kind != ledger.CORRECTION, entries))
        standings = _standings(tx, ladder_id, plain)
    if not entries:
        _settle(database, ladder_id)
        return 0
    if not plain:
        corrections = list(takewhile(lambda entry: entry.kind == ledger.CORRECTION, entries))
        _refold(database, ladder_id, at, at.folded + len(corrections))
        return len(corrections)
    folded = fold(plain, standings, at.may_tie)
    with database.transaction() as tx:
        to_place = at.folded + len(plain)
        folding.advance(tx, ladder_id, at, to_place, _ratings(folded.standings), _changes(folded.changes))
    _log.info("rated", ladder=ladder_id, tables=[row.table_id for row in rows[: len(plain)] if row.table_id])
    return len(plain)


def _settle(database: Database, ladder_id: int) -> None:
    with database.transaction() as tx:
        folding.settle(tx, ladder_id)


def _refold(database: Database, ladder_id: int, at: Progress, to_place: int) -> None:
    """Folds from the beginning, with every correction below ``to_place`` in its place."""
    standings: dict[int, Standing] = {}
    changes: list[ChangeRow] = []
    with database.reading() as tx:
        for _, folded in _walk(tx, ladder_id, at, to_place):
            standings.update(folded.standings)
            changes.extend(_changes(folded.changes))
    with database.transaction() as tx:
        folding.replace(tx, ladder_id, at, to_place, _ratings(standings), changes)


def _walk(
    tx: Transaction, ladder_id: int, at: Progress, to_place: int, more: Sequence[Entry] = ()
) -> Iterator[tuple[int, Folded]]:
    """The fold below ``to_place`` from nothing, page by page, each with the place after it. ``more``:
    corrections beside those of the ledger."""
    corrections = [*(_entry(row) for row in ledger.corrections(tx, ladder_id, to_place)), *more]
    standings: dict[int, Standing] = {}
    for start in range(0, to_place, _PAGE):
        end = min(start + _PAGE, to_place)
        page = [_entry(row) for row in ledger.entries(tx, ladder_id, start, end - start)]
        folded = fold(corrected(page, corrections), standings, at.may_tie)
        standings.update(folded.standings)
        yield end, folded


def _compare(tx: Transaction, ladder_id: int, at: Progress) -> Rebuilt:
    pair = _Pair()
    standings: dict[int, Standing] = {}
    start = 0
    for end, folded in _walk(tx, ladder_id, at, at.folded):
        standings.update(folded.standings)
        pair.take(folding.changes(tx, ladder_id, start, end), _changes(folded.changes))
        start = end
    pair.take(folding.changes(tx, ladder_id, start, _BEYOND), [])  # there should be none
    pair.take(folding.standings(tx, ladder_id), _ratings(standings))
    return Rebuilt(at.folded, len(standings), *pair.digests(), pair.difference, False)


class _Pair:
    """Two digests over the same kind of rows, and where they first part."""

    def __init__(self) -> None:
        self.stored = hashlib.sha256()
        self.rebuilt = hashlib.sha256()
        self.difference: str | None = None

    def take(self, stored: Iterable[RatingRow | ChangeRow], rebuilt: Iterable[RatingRow | ChangeRow]) -> None:
        old = [canonical(row) for row in stored]
        new = [canonical(row) for row in rebuilt]
        self.stored.update(b"".join(old))
        self.rebuilt.update(b"".join(new))
        if old != new and self.difference is None:
            self.difference = _first_difference(old, new)

    def digests(self) -> tuple[str, str]:
        return self.stored.hexdigest(), self.rebuilt.hexdigest()


def _first_difference(old: list[bytes], new: list[bytes]) -> str:
    at = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    stored, rebuilt = (lines[at].decode().strip() if at < len(lines) else "nothing" for lines in (old, new))
    return f"stored: {stored}; rebuilt: {rebuilt}"


def canonical(row: RatingRow | ChangeRow) -> bytes:
    """One row as a line, floats by their bits; two rows are equal when these bytes are."""
    if isinstance(row, RatingRow):
        floats: tuple[float, ...] = (row.mean, row.deviation, row.shown)
        whole = f"rating player {row.player_id} games {row.games} last {row.last_place}"
    else:
        floats = (row.mean_before, row.deviation_before, row.mean_after, row.deviation_after)
        whole = f"change place {row.place} player {row.player_id} games {row.games}"
    return f"{whole} {' '.join(figure.hex() for figure in floats)}\n".encode()


def _standings(tx: Transaction, ladder_id: int, entries: list[Entry]) -> dict[int, Standing]:
    rows = folding.standings(tx, ladder_id, touched_by(entries))
    return {
        row.player_id: Standing(Skill(row.mean, row.deviation), row.games, row.last_place) for row in rows
    }


def _entry(row: ledger.EntryRow) -> Entry:
    return Entry(row.place, row.kind, row.content, row.supersedes)


def _ratings(standings: dict[int, Standing]) -> list[RatingRow]:
    return [
        RatingRow(player, *standing.skill, standing.skill.shown, standing.games, standing.last_place)
        for player, standing in sorted(standings.items())
    ]


def _changes(changes: list[Change]) -> list[ChangeRow]:
    return [ChangeRow(c.place, c.player_id, *c.before, *c.after, c.games) for c in changes]
