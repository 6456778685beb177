"""How a command fails: one line that says what, which, and what to do next."""

FAILURE = 1
USAGE = 2


class CommandError(Exception):
    """Ends the command with a message on stderr; ``code`` is 1 for a failure, 2 for wrong usage."""

    def __init__(self, message: str, code: int = FAILURE) -> None:
        super().__init__(message)
        self.code = code


class UsageError(CommandError):
    """What was typed cannot be done, whatever the state of the world."""

    def __init__(self, message: str) -> None:
        super().__init__(message, USAGE)
