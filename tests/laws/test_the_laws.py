"""Each law catches a game that breaks it: Tiny, with one thing wrong."""

import pytest

from engine_service.core.game import configure
from tests.games.tiny import TINY, Tiny
from tests.laws import knowledge, offenders, positions
from tests.laws.cases import Case
from tests.laws.offenders import spoilt
from tests.laws.players import Moment
from tests.laws.positions import Law

CONFIG = configure(TINY.card.variants[0], {"rounds": 8})


def breaks(law: Law, game: Tiny) -> bool:
    """Whether the law catches the game at some moment of some of its courses."""
    case = Case("spoilt", game, "standard", 3, CONFIG)
    at_a_turn = law in knowledge.AT_A_TURN
    for seed in range(12):
        moment = Moment(case, seed, "any")
        for _ in range(40):
            if at_a_turn:
                moment.to_a_turn()
            if moment.over and at_a_turn:
                break
            try:
                law(moment)
            except Exception:  # noqa: BLE001  # a broken game may break anywhere: that is being caught
                return True
            except pytest.fail.Exception:
                return True
            if moment.over:
                break
            moment.step()
    return False


ALL_LAWS = positions.AT_ANY_STEP + knowledge.AT_A_TURN

CAUGHT: list[tuple[Law, Tiny]] = [
    (positions.pending_is_well_formed, spoilt(offenders.TurnOfNobody)),
    (positions.pending_is_well_formed, spoilt(offenders.SeatsUpsideDown)),
    (positions.pending_is_well_formed, spoilt(offenders.PendingMadeAnew)),
    (positions.pending_is_well_formed, spoilt(offenders.RanksInOrder)),
    (positions.legal_moves_stand_still, spoilt(offenders.NoMoves)),
    (positions.legal_moves_stand_still, spoilt(offenders.MovesTwice)),
    (positions.legal_moves_stand_still, spoilt(offenders.IllegalDefault)),
    (positions.legal_moves_keep_their_order, spoilt(offenders.ShuffledMoves)),
    (positions.texts_and_codes_are_inverse, spoilt(game=offenders.Stammering)),
    (positions.nonsense_is_refused, spoilt(game=offenders.Lenient)),
    (positions.illegal_moves_are_refused, spoilt(offenders.TakesAnything)),
    (positions.illegal_moves_are_refused, spoilt(offenders.RefusesTooLate)),
    (positions.sealed_moves_have_no_order, spoilt(offenders.FirstComeFirstServed)),
    (positions.any_outcome_may_fall, spoilt(offenders.FacesMissing)),
    (positions.any_outcome_may_fall, spoilt(offenders.ReadingDisordered)),
    (positions.views_are_plain_data, spoilt(offenders.HalfPoints)),
    (positions.views_are_plain_data, spoilt(offenders.NumbersForKeys)),
    (positions.views_are_built_anew, spoilt(offenders.WideOpen)),
    (positions.sightings_can_be_told, spoilt(offenders.Wordless)),
    (positions.sightings_can_be_told, spoilt(offenders.FarAudience)),
    (positions.sightings_can_be_told, spoilt(game=offenders.Mute)),
    (positions.copies_share_nothing, spoilt(offenders.SharedPoints)),
    (knowledge.imagined_positions_fit, spoilt(offenders.ShowsTheNeighbour)),
    (knowledge.imagined_positions_fit, spoilt(offenders.ShowsTheSpectator)),
    (knowledge.imagined_positions_fit, spoilt(offenders.MovesTellTheNeighbour)),
    (knowledge.imagined_positions_fit, spoilt(game=offenders.Unimaginative)),
    (knowledge.imagined_positions_fit, spoilt(game=offenders.Dreaming)),
    (knowledge.imagined_positions_can_be_played, spoilt(game=offenders.Shorthanded)),
    (knowledge.equal_sightings_give_equal_views, spoilt(offenders.TellsTooLate)),
]


def title(value: object) -> str:
    return getattr(value, "__name__", type(value).__name__)


@pytest.mark.parametrize(("law", "game"), CAUGHT, ids=title)
def test_the_law_catches_the_spoilt_game(law: Law, game: Tiny) -> None:
    assert breaks(law, game)


@pytest.mark.parametrize("law", ALL_LAWS, ids=title)
def test_the_law_lets_the_sound_game_pass(law: Law) -> None:
    assert not breaks(law, spoilt())


def test_every_law_has_its_offender() -> None:
    assert {law for law, _ in CAUGHT} == set(ALL_LAWS)


def test_forks_go_on_for_a_while() -> None:
    """Else the law of forks would hold for want of trying."""
    case = Case("sound", spoilt(), "standard", 3, CONFIG)
    lengths = [
        knowledge.fork(Moment(case, seed, "any").go(3).to_a_turn(), seat)
        for seed in range(20)
        for seat in range(3)
    ]
    assert max(lengths) >= 3
    assert sum(lengths) / len(lengths) > 1
