"""What a bot wrote to stderr: its beginning and its end, the middle cut when there is too much."""

MOST = 256 << 10
HEAD = 64 << 10
LAST = 4096


class Log:
    """Takes at most :data:`MOST` bytes of memory, however much is added."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self.bytes = 0

    def add(self, data: bytes) -> None:
        """More of it."""
        self.bytes += len(data)
        room = HEAD - len(self._head)
        self._head += data[:room]
        self._tail += data[max(0, room) :]
        if len(self._tail) > MOST - HEAD:
            del self._tail[: len(self._tail) - (MOST - HEAD)]

    def text(self) -> str:
        """All that is kept, fit for a page, a terminal or a file: see :func:`clean`."""
        cut = self.bytes - len(self._head) - len(self._tail)
        middle = f"\n… {cut} bytes left out …\n" if cut else ""
        return clean(bytes(self._head)) + middle + clean(bytes(self._tail))

    def last(self, most: int = LAST) -> str:
        """The end of it, at most ``most`` bytes in UTF-8."""
        whole = clean(bytes(self._head[-most:] if not self._tail else (self._head + self._tail)[-most:]))
        return whole.encode()[-most:].decode(errors="ignore")


def clean(data: bytes) -> str:
    """A stranger's bytes as text: what is not UTF-8, and every control character but newline and
    tab, is written as its escape. It is data still: a page must escape it as any text."""
    text = data.decode("utf-8", errors="backslashreplace")
    return "".join(sign if _is_plain(sign) else _escape(sign) for sign in text)


def _is_plain(sign: str) -> bool:
    return sign.isprintable() or sign in "\n\t "


def _escape(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
