"""Rows of uploaded bots as the messages of ``proto/scheduler/v1/bots.proto``."""

from scheduler.bot_logs import SeatLog
from scheduler.v1 import bots_pb2 as pb
from storage.quotas import Quota, Usage
from storage.submissions import StepRow, SubmissionRow


def version(row: SubmissionRow) -> pb.Version:
    return pb.Version(
        bot=f"{row.owner}/{row.name}",
        number=row.number,
        state=_state(row.state),
        reason=row.reason,
        sha256=row.digest or "",
        size=row.size,
        language=row.language,
        games=row.games,
        isolation=row.level,
        match=row.table_id or "",
        faults=row.faults,
        submitted_at_ms=row.submitted_at,
        changed_at_ms=row.changed_at,
    )


def step(row: StepRow) -> pb.Step:
    return pb.Step(state=_state(row.state), reason=row.reason, at_ms=row.at)


def quota(most: Quota, used: Usage) -> pb.Quota:
    return pb.Quota(
        stored_bytes=used.stored_bytes,
        stored_bytes_most=most.stored_bytes,
        uploads_today=used.today,
        uploads_today_most=most.daily,
        next_upload_at_ms=used.next_at or 0,
    )


def seat_log(log: SeatLog) -> pb.SeatLog:
    report = log.row.report
    return pb.SeatLog(
        match=report.table_id,
        attempt=report.attempt,
        seat=report.seat,
        version=log.row.version,
        isolation=report.level,
        cause=report.cause or "",
        why=report.why,
        exit_code=report.code,
        signal=report.signal,
        stderr=report.stderr,
        times=[pb.MoveTime(decision=decision, microseconds=us) for decision, us in report.times],
        at_ms=log.row.at,
        strikes=[
            pb.Strike(event=one.event, reason=one.reason, view=one.view, move=one.move) for one in log.strikes
        ],
    )


def _state(state: str) -> pb.State.ValueType:
    return pb.State.Value(f"STATE_{state.upper()}")
