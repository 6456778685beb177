"""Laws of name plates: variants, settings, seat counts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_service.core.game import (
    ConfigError,
    Game,
    Json,
    Setting,
    Variant,
    check_seats,
    configure,
    variant_of,
)
from engine_service.core.record import encode
from tests.laws.cases import ALL_GAMES, ODD
from tests.laws.positions import check_json

VARIANTS = [(game, variant) for game in ALL_GAMES.values() for variant in game.card.variants]
SETTINGS = [
    pytest.param(setting, id=f"{game.card.id}/{variant.name}/{setting.key}")
    for game, variant in VARIANTS
    for setting in variant.settings
]
every_variant = pytest.mark.parametrize(
    ("game", "variant"), VARIANTS, ids=[f"{game.card.id}/{variant.name}" for game, variant in VARIANTS]
)
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


def test_games_stand_under_their_own_names() -> None:
    assert all(game.card.id == name for name, game in ALL_GAMES.items())


@every_variant
def test_a_card_is_well_formed(game: Game, variant: Variant) -> None:
    assert game.card.rules >= 1
    assert game.card.title
    assert variant_of(game, variant.name) is variant
    assert 1 <= variant.min_seats <= variant.max_seats <= 6
    assert len({setting.key for setting in variant.settings}) == len(variant.settings)


@every_variant
def test_defaults_are_plain_data_that_their_settings_take(game: Game, variant: Variant) -> None:
    config = configure(variant, {})
    check_json(config, "config")
    assert list(config) == [setting.key for setting in variant.settings]
    assert configure(variant, json.loads(encode(config))) == config


@every_variant
def test_seat_counts_outside_are_refused(game: Game, variant: Variant) -> None:
    for seats in (-1, 0, variant.min_seats - 1, variant.max_seats + 1, 100):
        with pytest.raises(ConfigError, match=f"not by {seats}"):
            check_seats(variant, seats)


@pytest.mark.parametrize("setting", SETTINGS)
@given(value=any_json)
def test_a_setting_judges_anything(setting: Setting, value: Json) -> None:
    """Whatever JSON a stranger sends: a good value or a sentence, never an exception, never a float."""
    verdict = setting.check(value)
    assert verdict is None or verdict.strip()
    if verdict is None:
        check_json(value, setting.key)
        assert type(value) is type(setting.default)


def test_odd_settings_belong_to_games_that_are_there() -> None:
    titles = {f"{game.card.id}/{variant.name}" for game, variant in VARIANTS}
    assert set(ODD) <= titles
