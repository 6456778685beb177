"""A gap of kombu's closed: a worker that could not acknowledge goes on working.

kombu counts a message as in hand until its acknowledgement has reached Redis. If Redis dies
just then, the message is counted for ever; as many of them as the worker has children, and it
never asks for another (seen with kombu 5.7.0: celery/kombu#1125 tells of the same on SQS).
What Redis was not told comes back after the visibility timeout, and every task is safe twice.
"""

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    """Lets go of a message whatever becomes of its acknowledgement."""

    def ack(self, delivery_tag: str) -> None:
        """Raises what Redis says, after letting go."""
        try:
            super().ack(delivery_tag)
        except redis.get_redis_error_classes().connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Raises what Redis says, after letting go."""
        try:
            super().reject(delivery_tag, requeue=requeue)
        except redis.get_redis_error_classes().connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise


def install() -> None:
    """For every Redis channel that this process makes from here on."""
    redis.Channel.QoS = QoS
