"""The one way the server says no: a status, a word for programs, a sentence for people."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818  (it reads as what it is)
    """A request that changes nothing."""

    held = 0.0
    """Seconds to wait before the answer: who asks again at once, a thousand times over, is to be slowed down."""

    def __init__(self, status: int, code: str, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.retry_after = retry_after
        """Seconds after which asking again makes sense."""

    def as_json(self) -> dict[str, object]:
        """What the client receives."""
        answer: dict[str, object] = {"error": self.code, "message": self.message}
        if self.retry_after is not None:
            answer["retry_after"] = round(self.retry_after, 2)
        return answer


def not_found(what: str, name: str) -> Refused:
    """Something that does not exist (any more)."""
    return Refused(404, "not-found", f"there is no {what} {name!r}; it may have expired")


def busy(message: str, retry_after: float) -> Refused:
    """The server has too much to do."""
    return Refused(503, "busy", message, retry_after)


def too_many(message: str, retry_after: float) -> Refused:
    """The client asks for too much."""
    return Refused(429, "too-many", message, retry_after)


HELD_SECONDS = 5.0
"""How long an address that has used up its share waits for a refusal."""


def address_full(message: str, retry_after: float) -> Refused:
    """All clients of an address together ask for too much."""
    refusal = too_many(message, retry_after)
    refusal.held = HELD_SECONDS
    return refusal
