"""``mamenoki games``: what can be played."""

from typing import Annotated, Any

import typer

from mamenoki.cli.screen import emit, show_table

verbs = typer.Typer()


@verbs.command()
def games(json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False) -> None:
    """List the games with their variants, seats, settings, house programs and house bots."""
    found = _games()
    if json:
        emit(found)
        return
    for game in found:
        rows = [[key, str(value)] for key, value in game["config"].items()]
        title = f"{game['name']} - {game['title']}, {game['min_seats']} to {game['max_seats']} seats"
        show_table(title, [("setting", "<"), ("default", "<")], rows)
        programs = [f"{name} {_shown(takes)}".rstrip() for name, takes in game["programs"].items()]
        print(f"  house programs: {'; '.join(programs)}")
        print(f"  house bots: {', '.join(game['bots'])}\n")


def _games() -> list[dict[str, Any]]:
    from engine_service.games import GAMES
    from mamenoki import house
    from mamenoki.house.roster import ROSTER

    return [
        {
            "name": f"{game.card.id}/{variant.name}",
            "title": game.card.title,
            "rules": game.card.rules,
            "min_seats": variant.min_seats,
            "max_seats": variant.max_seats,
            "config": {setting.key: setting.default for setting in variant.settings},
            "programs": {name: house.takes(game.card.id, name) for name in house.programs(game.card.id)},
            "bots": [bot.name for bot in ROSTER if (bot.game, bot.variant) == (game.card.id, variant.name)],
        }
        for game in GAMES.values()
        for variant in game.card.variants
    ]


def _shown(settings: dict[str, Any]) -> str:
    return f"({', '.join(f'{key}={value}' for key, value in settings.items())})" if settings else ""
