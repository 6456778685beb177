"""The invariants checker: every promise of the data, looked at anew. It changes nothing but its findings."""

from collections.abc import Callable

from engine_service.core.replay import Lie, verify
from engine_service.games import GAMES
from ratings.follow import rebuild
from scheduler.settings import SchedulerSettings
from service.logging import get
from storage import findings, invariants, ladders, results, windows
from storage.database import Database, now_ms
from storage.invariants import EXAMPLES, LATE_MS, Broken

RATINGS_FOLLOW, REPLAYS_VERIFY = "ratings_follow", "replay_verifies"
PROMISES: dict[str, str] = {
    **invariants.PROMISES,
    RATINGS_FOLLOW: "the ratings are what the ledger folds to, byte for byte",
    REPLAYS_VERIFY: "a finished table's replay is true, on the seed and the commitment of its table",
}
"""All promises that are looked at, each in words."""

WINDOW = "audit"
REPLAYS = 200
"""How many of the latest replays a nightly audit plays again."""

_log = get("audit")


def audit(
    database: Database,
    *,
    late_ms: int = LATE_MS,
    replays: int = REPLAYS,
    note: Callable[[str], None] = lambda _what: None,
) -> list[Broken]:
    """How every promise stands, in the order of :data:`PROMISES`. ``note`` hears what is looked at next.

    ``late_ms``: a lease that ran out so long ago counts as forgotten. ``replays``: how many
    of the latest are played again, which takes some milliseconds each.
    """
    note("tables, results and ledgers")
    with database.reading() as tx:
        found = invariants.broken(tx, late_ms)
        names = [(ladder.id, ladder.name) for ladder in ladders.ladders(tx)]
    note("ratings")
    different = [name for id, name in names if not rebuild(database, id).equal]
    note("replays")
    return [*found, _broken(RATINGS_FOLLOW, different), _broken(REPLAYS_VERIFY, _lies(database, replays))]


def audit_nightly(database: Database, settings: SchedulerSettings) -> list[Broken] | None:
    """Audits once a window of ``audit_ms`` and keeps what it finds; None if this window has had its audit."""
    with database.transaction() as tx:
        window = now_ms(tx) // settings.audit_ms * settings.audit_ms
        if not windows.once(tx, WINDOW, window):
            return None
        windows.forget(tx, WINDOW, window)
    found = audit(database)
    keep(database, found)
    for one in found:
        if one.count:
            _log.error("promise_broken", promise=one.promise, count=one.count, examples=one.examples)
    _log.info("audited", promises=len(found), broken=sum(1 for one in found if one.count))
    return found


def keep(database: Database, found: list[Broken]) -> None:
    """Keeps findings where the metrics read them."""
    with database.transaction() as tx:
        findings.keep(tx, found)


def _broken(promise: str, names: list[str]) -> Broken:
    return Broken(promise, len(names), tuple(names[:EXAMPLES]))


def _lies(database: Database, most: int) -> list[str]:
    with database.reading() as tx:
        ids = [row.table_id for row in results.recent(tx, None, None, most)]
    return [id for id in ids if not _is_true(database, id)]


def _is_true(database: Database, table_id: str) -> bool:
    with database.reading() as tx:
        row = results.get(tx, table_id)
    if row.replay is None:  # another table on its deal is still played
        return True
    try:
        seen = verify(row.replay, GAMES)
    except Lie:
        return False
    claimed = (table_id, row.seed.hex() if row.seed else "", list(row.ranks), list(row.played.scores))
    return (seen.match, seen.seed.hex(), list(seen.ranks), list(seen.scores)) == claimed
