"""The list of tables, and one table with all that may be known of it."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine_service.core.replay import Lie
from mamenoki.sdk.replays import short_names
from storage import hall, results, tables
from storage.database import Database, now_ms
from storage.leases import INFRA
from storage.results import ResultRow
from storage.rows import DONE, PLANNED, RUNNING, TableRow
from web.boards import board_of
from web.live import Seen
from web.models import RatingMove, SeatLine, by_place
from web.reading.games import title_of
from web.reading.lines import open_seats, played_line, played_seats, running_line
from web.reading.sets import set_scene
from web.scenes import FailedTry, Hall, Scene, SetScene, Story, TableHead
from web.story import tell
from web.ties import tie_notes
from web.viewing.drawing import LiveScene, live_scene
from web.viewing.scene import STORY_MOVES, too_long
from web.words import count, listing, shown_name

log = logging.getLogger(__name__)

PAGE = 30
RUNNING_SHOWN = 12
FAULTS = {
    "lease": "the engine that played it stopped answering",
    "bridge": "our worker that filled its seats went away",
    "engine": "the engine failed",
    "abort": "the operator stopped it",
    "seats": "a seat stayed empty, so it was not begun",
}
"""Why a try came to nothing, by the cause that the attempt names."""


def hall_page(database: Database, before: str | None) -> Hall:
    """The tables played, newest first, after table ``before``; on the first page those in play too.

    NotFound if ``before`` names no finished table.
    """
    with database.reading() as tx:
        now = now_ms(tx)
        played = results.recent(tx, None, before, PAGE + 1)
        running = hall.in_play(tx, RUNNING_SHOWN + 1) if before is None else []
    older = played[PAGE - 1].table_id if len(played) > PAGE else None
    return Hall(
        now=now,
        running=[running_line(row) for row in running[:RUNNING_SHOWN]],
        ended=[played_line(row) for row in played[:PAGE]],
        older=older,
        is_later=before is not None,
        more_run=len(running) > RUNNING_SHOWN,
    )


Watch = Callable[[str], Seen | None]
"""How everybody may see a match in play; None if it cannot be had."""


def table_page(database: Database, table_id: str, watch: Watch) -> Scene:
    """One table. NotFound if there is none of that id."""
    with database.reading() as tx:
        now = now_ms(tx)
        table = tables.find(tx, table_id)
        result = results.get(tx, table_id) if table.state == DONE else None
        shared = set_scene(tx, table_id)
        ladder_id = table.ladder_id if table.rated and shared is None else None
        failed = tables.attempts(tx, table_id) if table.fence > 1 else []
        changes = {} if ladder_id is None else hall.rating_changes(tx, ladder_id, table_id)
    seats = _seats(table, result, changes)
    story, withheld = _story(table, result, seats)
    seen = watch(table_id) if table.state == RUNNING and table.set_id is None else None
    return Scene(
        now=now,
        title=title_of(table.game),
        table=_head(table),
        seats=by_place(seats) if shared is None else seats,
        moving=table.state in (PLANNED, RUNNING),
        any_rating=ladder_id is not None,
        end_sentence=_end_sentence(result, seats, shared) if result else "",
        ties=tie_notes(table.game, seats, story.end) if shared is None else (),
        moves=result.played.moves if result else None,
        seed=table.seed.hex() if table.seed else None,
        story=story.turns,
        live=_live(table, seen) if seen else None,
        sprite=board_of(table.game).sprite,
        withheld=withheld,
        tries=[FailedTry(one.attempt, FAULTS.get(one.cause, one.cause)) for one in failed],
        shared=shared,
    )


def replay_of(database: Database, table_id: str) -> bytes | None:
    """The raw lines of a finished table; None while its seed is still secret. NotFound without a result."""
    with database.reading() as tx:
        return results.get(tx, table_id).replay


def _head(table: TableRow) -> TableHead:
    return TableHead(
        table.id,
        table.ladder,
        table.game,
        table.variant,
        table.rated,
        table.state,
        table.attempt,
        table.commitment,
        table.planned_at,
        table.claimed_at,
        table.ended_at,
        void_words(table.void_reason),
    )


def void_words(reason: str | None) -> str | None:
    """Why a table is void, for the reader; reasons that are not known stand as they are."""
    if reason == INFRA:
        return "it could not be played to its end three times, through no player's fault"
    return reason


def _seats(
    table: TableRow, result: ResultRow | None, changes: Mapping[int, tuple[float, float]]
) -> list[SeatLine]:
    if result is None:
        return open_seats(table.seats)
    moves = {player: RatingMove(*change) for player, change in changes.items()}
    lines = played_seats(result.played, result.strikes)
    return [
        replace(line, rating=moves.get(player))
        for line, player in zip(lines, result.played.player_ids, strict=True)
    ]


def _story(table: TableRow, result: ResultRow | None, seats: Sequence[SeatLine]) -> tuple[Story, str]:
    """The match in sentences, or why it cannot be told."""
    if result is None:
        return Story(), ""
    if result.replay is None:
        return Story(), "The replay appears when the last table on the same deal has ended."
    if result.played.moves > STORY_MOVES:
        return Story(), too_long(result.played.moves)
    try:
        return tell(result.replay, tuple((seat.owner, seat.name) for seat in seats)), ""
    except Lie as lie:
        log.exception("the stored replay of table %s does not follow", table.id)
        return Story(), f"This replay does not follow from its seed and the rules as they are here: {lie}"


def _live(table: TableRow, seen: Seen) -> LiveScene:
    names = [shown_name(name) for name in short_names([seat.full_name for seat in table.seats])]
    return live_scene(table.game, seen.view, seen.news, names)


def _end_sentence(result: ResultRow, seats: Sequence[SeatLine], shared: SetScene | None) -> str:
    if shared is not None:
        return f"Together they scored {result.played.scores[0]} in {count(result.played.moves, 'move')}."
    winners = [shown_name(seat.name) for seat in seats if seat.placement == 0]
    won = f"{winners[0]} wins" if len(winners) == 1 else f"{listing(winners)} share the win"
    limit = " at the turn limit" if result.played.end == "turn_limit" else ""
    return f"{won}{limit} after {count(result.played.moves, 'move')}."
