"""Events as text: entrants, rounds, standings, and what a correction changes."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from mamenoki.cli.screen import emit, show_table
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from scheduler.v1 import events_pb2 as pb


def show_sheet(sheet: "pb.EventSheet") -> None:
    """All of an event."""
    event = sheet.event
    print(
        f"{event.name} on {event.ladder} is {event.state}"
        + (f"; {sheet.winner} has won" if sheet.winner else "")
    )
    for stage in sheet.stages:
        _show_stage(stage, event.stages[stage.number - 1].format)
    if not sheet.stages:
        show_entrants(sheet)
    for one in sheet.corrections:
        print(f"corrected: {one.slot}, by {one.actor}: {one.reason}")


def show_entrants(sheet: "pb.EventSheet") -> None:
    """The entrants by seed."""
    rows = [
        [str(one.seed or "–"), f"{one.player}@{one.version}", "withdrew" if one.withdrew else ""]
        for one in sheet.entrants
    ]
    title = f"{sheet.event.name}: {counted(len(rows), 'entrant')}; lots are drawn from {sheet.event.lots}"
    show_table(title, [("seed", ">"), ("player", "<"), ("", "<")], rows)


def show_tables(sheet: "pb.EventSheet", json: bool) -> None:
    """Every table with its match."""
    found = [
        {
            "stage": stage.number,
            "slot": match.slot,
            "game": table.game,
            "table": table.id,
            "state": table.state,
            "players": [seat.player for seat in match.seats],
        }
        for stage in sheet.stages
        for each in stage.rounds
        for match in each.matches
        for table in match.tables
    ]
    if json:
        emit(found)
        return
    columns = [("stage", ">"), ("slot", "<"), ("game", ">"), ("table", "<"), ("state", "<"), ("players", "<")]
    rows = [[_text(value) for value in row.values()] for row in found]
    show_table(f"{sheet.event.name}: {counted(len(rows), 'table')}", columns, rows)


def show_change(answer: "pb.CorrectEventResponse") -> None:
    """What a correction has changed, or would."""
    print("done:" if answer.is_done else "nothing is changed yet; this would change:")
    for stage in answer.stages:
        lines = [
            *(f"  gone: {_match(match)}" for match in stage.lost),
            *(f"  new: {_match(match)}" for match in stage.new),
            *(f"  {one.player}: {_rank(one.before)} → {_rank(one.after)}" for one in stage.moved),
        ]
        reopened = ", which is not over any more" if stage.reopens else ""
        print(f"stage {stage.stage}{reopened}:" if lines else f"stage {stage.stage}: nothing")
        for line in lines:
            print(line)
    if answer.ratings_unknown:
        print("ratings: this ladder has too many results to say before it is done what moves")
    elif answer.moves_ratings and answer.is_done:
        print("ratings: the ladder is folded again")
    for moved in answer.ratings:
        before, after = (
            f"{getattr(moved, when):.2f}" if moved.HasField(when) else "none" for when in ("before", "after")
        )
        print(f"rating of {moved.player}: {before} → {after}")


def _show_stage(stage: "pb.StageSheet", format: str) -> None:
    print(f"\nStage {stage.number}, {format}, {'over' if stage.is_over else 'being played'}")
    for number, one in enumerate(stage.rounds, 1):
        print(f"  round {number}")
        for match in one.matches:
            print(f"    {_match(match)}")
    ties = list(stage.tie_breaks)
    columns = [("rank", ">"), ("player", "<"), *((name, ">") for name in ties), ("decided by", "<")]
    for group in _groups(stage.lines):
        rows = [
            [str(line.rank), line.player, *(_figure(one.value) for one in line.values), line.decided_by]
            for line in group
        ]
        show_table(f"group {group[0].group}" if group[0].group else "standings", columns, rows)


def _groups(lines: "Iterable[pb.EventLine]") -> "list[list[pb.EventLine]]":
    groups: dict[int, list[pb.EventLine]] = {}
    for line in lines:
        groups.setdefault(line.group, []).append(line)
    return list(groups.values())


def _match(match: "pb.Match") -> str:
    """``W1.1  1 ann/bot, 2 bob/bot``; without places while it is open."""
    seats = [
        f"{seat.place + 1} {seat.player}" if seat.HasField("place") else seat.player for seat in match.seats
    ]
    bye = ", nobody to meet" if len(seats) == 1 else ""
    return f"{match.slot}  {', '.join(seats)}{bye}"


def _figure(value: str) -> str:
    exact = Fraction(value)
    return str(exact) if exact.denominator == 1 else f"{float(exact):.3f}"


def _rank(rank: int) -> str:
    return f"rank {rank}" if rank else "not in it"


def _text(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
