"""Who is left out, and for how long."""

from engine_service.server.bench import OWNER_FAULTS, SLATES, Bench

FIRST, MOST = 10_000, 60_000


def bench() -> Bench:
    return Bench(FIRST, MOST)


def test_each_fault_in_a_row_doubles_the_pause_up_to_a_bound() -> None:
    slate = bench()
    pauses = []
    for _ in range(5):
        slate.fault("al/bot", "slept", 0)
        pauses.append(slate.left_ms("al/bot", 0))
    assert pauses == [10_000, 20_000, 40_000, 60_000, 60_000]


def test_a_pause_runs_out_and_its_reason_is_kept() -> None:
    slate = bench()
    slate.fault("al/bot", "slept", 1_000)
    assert (slate.left_ms("al/bot", 5_000), slate.why("al/bot")) == (6_000, "slept")
    assert slate.left_ms("al/bot", 11_000) == 0
    slate.fault("al/bot", "slept again", 20_000)
    assert slate.left_ms("al/bot", 20_000) == 20_000


def test_a_match_played_to_its_end_clears_the_slate() -> None:
    slate = bench()
    slate.fault("al/bot", "slept", 0)
    slate.credit("al/bot")
    assert (slate.left_ms("al/bot", 0), slate.why("al/bot")) == (0, "")
    slate.fault("al/bot", "slept", 0)
    assert slate.left_ms("al/bot", 0) == FIRST


def test_new_names_do_not_help_an_owner() -> None:
    slate = bench()
    for number in range(OWNER_FAULTS - 1):
        slate.fault(f"al/bot-{number}", "slept", 0)
    assert slate.left_ms("al/new", 0) == 0
    slate.fault("al/last", "slept", 0)
    assert slate.left_ms("al/new", 0) == FIRST
    assert slate.left_ms("alice/bot", 0) == 0, "another owner whose name begins alike"


def test_a_longer_pause_is_not_cut_short_by_a_later_fault() -> None:
    slate = Bench(FIRST, 40_000)
    for now in (0, 0, 0):
        slate.fault("al/bot", "slept", now)
    slate.fault("al/bot", "slept", 1)
    assert slate.left_ms("al/bot", 1) == 40_000


def test_slates_are_bounded() -> None:
    slate = bench()
    slate.fault("al/bot", "slept", MOST)
    for number in range(SLATES):
        slate.fault(f"o{number}/bot", "slept", 0)
    assert len(slate._slates) <= SLATES
    assert slate.left_ms("al/bot", MOST) == FIRST, "the one that lasts longest is kept"
