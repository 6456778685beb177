"""A worker lets go of a message whatever Redis says to its acknowledgement."""

from collections.abc import Iterator

import pytest
from kombu import Connection
from kombu.transport import virtual

from mamenoki.serve.valkey import Valkey, prepare
from scheduler import broker
from scheduler.app import broker_url


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """A server of this test's own, to be killed."""
    running = Valkey(prepare(tmp_path_factory.mktemp("valkey"))).start()
    yield running
    running.stop()


@pytest.mark.parametrize("answer", ["ack", "requeue"])
def test_a_message_that_could_not_be_acknowledged_is_not_held_for_ever(server: Valkey, answer: str) -> None:
    broker.install()
    with Connection(broker_url(server.url), transport_options={"socket_timeout": 2}) as connection:
        queue = connection.SimpleQueue("test")
        queue.consumer.qos(prefetch_count=1)
        queue.put("a")
        message = queue.get(timeout=5)
        qos = getattr(message.channel, "qos", None)
        assert isinstance(qos, virtual.QoS)
        assert not qos.can_consume()
        server.kill()
        with pytest.raises(connection.connection_errors):
            message.ack() if answer == "ack" else message.requeue()
        assert qos.can_consume(), "the next message may come"
        qos.restore_at_shutdown = False  # there is nowhere to restore to
