"""What a client tells, in words for whoever runs it."""

from mamenoki.sdk import events
from mamenoki.sdk.bot import Result, Seat

Trouble = events.Disconnected | events.AnswerRefused | events.BotRaised
"""What its author has to know; the rest goes as it should."""


def counted(number: int, noun: str) -> str:
    """``1 match``, ``2 matches``, ``2 entries``, ``2 replays``."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{number} {noun[:-1]}ies"
    return f"{number} {noun}{'es' if noun.endswith('ch') else 's'}"


def sentence(event: events.Event) -> str:
    """A line for each thing that happens; a traceback has more of them."""
    match event:
        case events.Connected(player, places):
            return f"connected as {player}, {counted(places, 'match')} at once"
        case events.MatchStarted(seat, resumed):
            return _started(seat, resumed)
        case events.MatchEnded(seat, result):
            return f"match {seat.match} ended: {_ended(seat, result)}"
        case events.Benched(left_s, why):
            return f"no new match for {left_s:.0f} s: {why}"
        case events.Draining(retry_s):
            return f"the server is going down; back in {retry_s:.0f} s"
        case events.Leaving(matches):
            return f"leaving when {_ending(matches)} ended" if matches else "leaving"
        case events.Disconnected(why, retry_s, before):
            return f"{'connection lost: ' if before else ''}{why}; next try in {retry_s:.1f} s"
        case events.AnswerRefused(seat, message, tries):
            left = f" ({counted(tries, 'try')} left)" if tries else ""
            return f"match {seat.match}: {message}{left}"
        case events.BotRaised(seat, trace):
            return f"match {seat.match}: the bot raised, the seat is resigned\n{trace.rstrip()}"


def _started(seat: Seat, resumed: bool) -> str:
    verb = "goes on" if resumed else "begins"
    others = ", ".join(player for place, player in enumerate(seat.players) if place != seat.seat)
    return f"match {seat.match} {verb}: {seat.game}/{seat.variant}, seat {seat.seat} against {others}"


def _ending(matches: int) -> str:
    return f"{counted(matches, 'match')} in play {'has' if matches == 1 else 'have'}"


def _ended(seat: Seat, result: Result) -> str:
    if not result.placements:
        return result.end
    place = result.placements[seat.seat] + 1
    scores = " ".join(map(str, result.scores))
    given_up = f", seat forfeited ({result.forfeit})" if result.forfeit else ""
    return f"place {place} of {len(result.placements)}, scores {scores}{given_up}"
