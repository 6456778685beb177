"""``mamenoki leaderboard`` and its neighbours: ratings, asked of a server."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mamenoki.cli.errors import UsageError
from mamenoki.cli.names import ladder_name
from mamenoki.cli.options import AsJson, Server, Token
from mamenoki.cli.screen import emit, emit_csv, note, show_table
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from mamenoki.cli.calls import Service

verbs = typer.Typer()

Ladder = Annotated[str, typer.Argument(parser=ladder_name, metavar="LADDER", help="Such as mushi/standard.")]
Player = Annotated[str, typer.Argument(help="owner/bot, such as house/greedy.")]
Limit = Annotated[int, typer.Option(min=1, max=100_000, help="How many rows at most.")]


@verbs.command()
def leaderboard(
    ladder: Ladder,
    limit: Limit = 50,
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print as CSV.")] = False,
) -> None:
    """The ladder, best first. Shown is the mean minus three deviations."""
    from ratings.v1 import ratings_pb2 as pb
    from scheduler.domain.exports.sheets import Sheet

    if json and csv:
        raise UsageError("--json and --csv cannot both be; ask for one")
    with _ratings(server, token) as service:
        first, rows = service.pages("Leaderboard", pb.LeaderboardRequest(ladder=ladder), "standings", limit)
    standings = [_plain(row) for row in rows]
    if csv:
        columns = tuple(field.name for field in pb.Standing.DESCRIPTOR.fields)
        emit_csv(Sheet(columns, [[row[name] for name in columns] for row in standings]))
        return
    if json:
        emit({"ladder": first.ladder, "players": first.players, "place": first.place, "standings": standings})
        return
    _show_standings(f"{first.ladder}: {counted(first.players, 'player')}", standings)


@verbs.command()
def around(
    ladder: Ladder,
    player: Player,
    neighbours: Annotated[int, typer.Option(min=1, max=50, help="On either side.")] = 5,
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """The ladder around one player."""
    from ratings.v1 import ratings_pb2 as pb

    with _ratings(server, token) as service:
        answer = service.ask(
            "AroundMe", pb.AroundMeRequest(ladder=ladder, player=player, neighbours=neighbours)
        )
    standings = [_plain(standing) for standing in answer.standings]
    if json:
        emit({"ladder": answer.ladder, "players": answer.players, "standings": standings})
    else:
        _show_standings(f"{answer.ladder} around {player}", standings)


@verbs.command()
def player(
    ladder: Ladder, player: Player, server: Server = None, token: Token = None, json: AsJson = False
) -> None:
    """One player's rating, and how it did against each of the others."""
    from ratings.v1 import ratings_pb2 as pb

    with _ratings(server, token) as service:
        answer = _plain(service.ask("GetPlayer", pb.GetPlayerRequest(ladder=ladder, player=player)))
    if json:
        emit(answer)
        return
    _show_standings(ladder, [answer["standing"]])
    rows = [
        [row["opponent"], *(str(row[key]) for key in ("ahead", "level", "behind"))]
        for row in answer["head_to_head"]
    ]
    show_table("against", [("opponent", "<"), ("ahead", ">"), ("level", ">"), ("behind", ">")], rows)


@verbs.command()
def history(
    ladder: Ladder,
    player: Player,
    limit: Limit = 20,
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """What moved a player's rating, newest first, each with its reason."""
    from ratings.v1 import ratings_pb2 as pb

    with _ratings(server, token) as service:
        _, rows = service.pages("History", pb.HistoryRequest(ladder=ladder, player=player), "changes", limit)
    changes = [_plain(row) for row in rows]
    if json:
        emit(changes)
        return
    show_table(
        f"{player} on {ladder}",
        [("entry", ">"), ("shown", ">"), ("why", "<"), ("match", "<")],
        list(map(_change, changes)),
    )


@verbs.command()
def predict(
    ladder: Ladder,
    players: Annotated[list[str], typer.Argument(help="Two to six, owner/bot each.")],
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """The chances of every place, if these players sat down now."""
    from ratings.v1 import ratings_pb2 as pb

    with _ratings(server, token) as service:
        seats = _plain(service.ask("Predict", pb.PredictRequest(ladder=ladder, players=players)))["seats"]
    if json:
        emit(seats)
        return
    places = [(f"place {place + 1}", ">") for place in range(len(seats))]
    rows = [[seat["player"], *(f"{chance:.1%}" for chance in seat["place"])] for seat in seats]
    show_table(ladder, [("player", "<"), *places], rows)


def _ratings(server: str | None, token: str | None) -> "Service":
    from mamenoki.cli.calls import Service
    from ratings.v1.ratings_pb2_grpc import RatingServiceStub

    return Service(RatingServiceStub, server, token)


def _plain(message: Any) -> dict[str, Any]:
    from mamenoki.cli.calls import plain

    return plain(message)


STANDINGS = [
    ("rank", ">"), ("player", "<"), ("shown", ">"), ("mean", ">"), ("deviation", ">"), ("games", ">"), ("trend", ">"),
]  # fmt: skip


def _show_standings(title: str, standings: list[dict[str, Any]]) -> None:
    show_table(title, STANDINGS, list(map(_standing, standings)))
    if any(standing["provisional"] for standing in standings):
        note("? provisional: too few games to be sure")


def _standing(row: dict[str, Any]) -> list[str]:
    shown = f"{row['shown']:.2f}{'?' if row['provisional'] else ''}"
    return [
        str(row["rank"]), f"{row['player']}@{row['version']}", shown, f"{row['mean']:.2f}",
        f"{row['deviation']:.2f}", str(row["games"]), f"{row['trend']:+.2f}",
    ]  # fmt: skip


def _change(row: dict[str, Any]) -> list[str]:
    before = row["mean_before"] - 3 * row["deviation_before"]
    after = row["mean_after"] - 3 * row["deviation_after"]
    return [str(row["place"]), f"{before:.2f} → {after:.2f}", row["explanation"] or row["kind"], row["match"]]
