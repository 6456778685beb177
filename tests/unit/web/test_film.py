"""A replay as frames, against the SDK's telling and the rules' own views."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_service.core.reading import Lie
from mamenoki.sdk.replays import story
from tests.fixtures.replays import GAMES_AND_VARIANTS, replay_of
from web.boards.morumori import MorumoriBoard
from web.story import tell
from web.viewing.drawing import draw
from web.viewing.film import EVERYTHING, PUBLIC, Film, Frame, film_of

SEATS = 3
every_game = pytest.mark.parametrize("game", GAMES_AND_VARIANTS)


def film(game: str) -> Film:
    return film_of(replay_of(game, SEATS))


def sentences(frame: Frame, viewer: str) -> list[str]:
    return [one.sentence for one in frame.said if one.is_for(viewer)]


@every_game
def test_every_step_of_the_replay_has_its_frame(game: str) -> None:
    told = story(replay_of(game, SEATS))
    frames = film(game).frames
    assert [frame.n for frame in frames] == [step.n for step in told]
    assert [film(game).view(frame, PUBLIC) for frame in frames] == [step.view for step in told]
    assert [sentences(frame, EVERYTHING) for frame in frames] == [step.sentences for step in told]


@every_game
def test_turns_are_the_storys(game: str) -> None:
    turns = tell(replay_of(game, SEATS), (("house", "a"), ("house", "b"), ("house", "c"))).turns
    begins = {turn.number: turn.lines[0].step for turn in turns[1:]}
    first: dict[int, int] = {}
    for frame in film(game).frames:
        first.setdefault(frame.turn, frame.n)
    assert {turn: n for turn, n in first.items() if turn} == begins


@every_game
def test_a_seat_sees_its_own_view_and_hears_what_it_was_told(game: str) -> None:
    for frame in film(game).frames:
        for seat in range(SEATS):
            assert film(game).view(frame, str(seat)) == frame.state.view(seat)
            for one in frame.said:
                assert one.is_for(str(seat)) == (one.audience is None or seat in one.audience)
                assert one.is_for(PUBLIC) == (one.audience is None)


@every_game
def test_every_frame_can_be_drawn_for_everybody(game: str) -> None:
    for frame in film(game).frames:
        for viewer in film(game).viewers:
            drawing = draw(film(game).game, film(game).view(frame, viewer), film(game).names)
            assert drawing.groups
            assert all(group.label and group.text for group in drawing.groups)


def texts(game: str, frame: Frame, viewer: str) -> dict[str, str]:
    groups = draw(film(game).game, film(game).view(frame, viewer), film(game).names).groups
    return {group.label: group.text for group in groups}


def test_a_hand_of_seimi_is_its_seats_alone_and_all_are_laid_open() -> None:
    game = "seimi/standard"
    frame = next(one for one in film(game).frames if all(one.state.view(None)["hands"]))
    hands = [", ".join(frame.state.view(seat)["hand"]) for seat in range(SEATS)]
    assert [label for label in texts(game, frame, PUBLIC) if "hand" in label] == []
    own = texts(game, frame, "1")
    assert own["bot1’s hand"] == hands[1]
    assert [label for label in own if "hand" in label] == ["bot1’s hand"]
    assert [texts(game, frame, EVERYTHING)[f"bot{seat}’s hand"] for seat in range(SEATS)] == hands


def test_treasures_of_beanstalk_are_face_down_for_others() -> None:
    game = "beanstalk/standard"
    frame = next(one for one in film(game).frames if any(one.state.view(None)["covered"]))
    assert film(game).view(frame, PUBLIC)["points"][:SEATS] == [None] * SEATS
    assert [film(game).view(frame, "0")["points"][seat] is None for seat in range(SEATS)] == [0, 1, 1]
    assert all(points is not None for points in film(game).view(frame, EVERYTHING)["points"])
    assert "face down" not in texts(game, frame, EVERYTHING)["bot1"]


@pytest.mark.parametrize("game", ["morumori/versus", "morumori/coop"])
def test_what_lies_face_down_is_known_when_all_is_laid_open(game: str) -> None:
    """Every card that is ever turned up lay there before, as the open view had it."""
    laid: Sequence[str] = ()
    turned = 0
    for frame in film(game).frames:
        slots = frame.state.view(None)["slots"]
        for slot, face in enumerate(slots):
            if face not in (None, "?"):
                assert frame.faces[slot] == face
                turned += bool(laid) and laid[slot] == face
        laid = frame.faces
        public = draw("morumori", film(game).view(frame, PUBLIC), film(game).names).slots
        opened = draw("morumori", film(game).view(frame, EVERYTHING), film(game).names).slots
        assert not any(slot.under for slot in public)
        assert all(slot.under for slot in opened if slot.face == "?")
    assert turned


def test_scattered_cards_lie_where_chance_put_them() -> None:
    board = MorumoriBoard()
    laid = board.lay_down([], "layout", {"faces": ["1", "2", "3", "="]})
    scattered = board.lay_down(laid, "scatter", {"slots": [1, 3], "faces": ["=", "2"]})
    assert scattered == ["1", "=", "3", "2"]
    assert board.lay_down(scattered, "peek", {"slots": [0]}) == scattered


@given(st.integers(-5, 400))
def test_any_step_finds_the_last_frame_that_is_not_beyond_it(step: int) -> None:
    one = film("seimi/standard")
    index = one.index(step)
    assert one.frames[index].n <= max(0, step)
    assert index + 1 == len(one.frames) or one.frames[index + 1].n > step


def test_a_lie_is_not_shown() -> None:
    with pytest.raises(Lie):
        film_of(replay_of("mushi/standard", 2).replace(b'"roll ', b'"rol ', 1))


def test_a_film_is_made_once() -> None:
    assert film("mushi/standard") is film("mushi/standard")
