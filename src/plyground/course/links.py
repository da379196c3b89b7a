"""Personal links: whoever has one is that student, until it expires or is renewed. There are no passwords.

A token is the id, when it expires, the serial number of the link, and a signature of these three with the secret of
the class (HMAC-SHA-256). To renew a link is to count its serial number up.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass

SIGNATURE_BYTES = 20

LONGEST_TOKEN_LETTERS = 400

REASONS = {
    "unreadable": "this link is not complete: copy it again, to its last character",
    "forged": "this link is not one of this class: ask your teacher for a new one",
    "unknown": "this link is for somebody who is not in this class any more: ask your teacher",
    "expired": "this link has expired: ask your teacher for a new one",
    "renewed": "this link was replaced by a newer one: use that, or ask your teacher for it",
}
"""Why a link is refused, and what to do."""


class LinkRefused(PermissionError):  # noqa: N818  (it reads as what it is)
    """A link that opens nothing; `reason` is one of REASONS."""

    def __init__(self, reason: str) -> None:
        super().__init__(REASONS[reason])
        self.reason = reason


@dataclass(frozen=True)
class Link:
    """What a token says."""

    student: str
    """The id."""

    expires: int
    """In seconds since 1970."""

    serial: int

    def token(self, secret: str) -> str:
        """The text to hand out, which only letters, digits, - _ and . are in."""
        said = self._said()
        return f"{said}.{_signature(said, secret)}"

    def _said(self) -> str:
        return f"{_encoded(self.student.encode())}.{self.expires:x}.{self.serial:x}"

    @staticmethod
    def read(token: str, secret: str) -> Link:
        """The link of a token; LinkRefused when it is not one of this secret."""
        parts = token.split(".")
        if len(parts) != 4 or len(token) > LONGEST_TOKEN_LETTERS or not token.isascii():
            raise LinkRefused("unreadable")
        if not hmac.compare_digest(_signature(".".join(parts[:3]), secret), parts[3]):
            raise LinkRefused("forged")
        try:
            student = base64.urlsafe_b64decode(parts[0] + "=" * (-len(parts[0]) % 4)).decode()
            return Link(student, int(parts[1], 16), int(parts[2], 16))
        except (binascii.Error, ValueError):
            raise LinkRefused("unreadable") from None


def address_of(base: str, token: str) -> str:
    """The address to hand out."""
    return f"{base.rstrip('/')}/class/{token}"


def _signature(said: str, secret: str) -> str:
    return _encoded(hmac.new(secret.encode(), said.encode(), hashlib.sha256).digest()[:SIGNATURE_BYTES])


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
