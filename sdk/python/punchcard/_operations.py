"""What an operation of the API is, and what a call of it is given."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Generic, Literal, Mapping, TypedDict, TypeVar, Union

T = TypeVar("T")


class NotGiven(enum.Enum):
    """What is left out of a body. `None` is written as null, which clears a value."""

    NOT_GIVEN = "NOT_GIVEN"

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven.NOT_GIVEN

Maybe = Union[T, NotGiven]
"""A property that may be left out."""


class Options(TypedDict, total=False):
    """How a single call is made."""

    idempotency_key: str
    """Makes repeats safe, also from another process. Without it, each call gets a key of its own."""
    request_id: str
    """At most 64 letters, digits, `.`, `_` and `-`; the service logs the call under it."""
    timeout: float
    """Seconds without a byte of the answer, for each attempt."""
    max_retries: int


@dataclass(frozen=True)
class Operation(Generic[T]):
    """One operation of the API, and what it answers."""

    method: str
    path: str
    answers: Literal["json", "page", "file", "nothing"] = "json"
    key: Literal["externalRef", "header", "none"] = "none"
    """What makes a repeat harmless, and is made where the caller has given none."""
    credential: Literal["key", "operator"] = "key"


@dataclass(frozen=True)
class FileBody:
    """A file in the place of a JSON body."""

    content: Union[str, bytes]
    media_type: str


Body = Union[None, FileBody, Mapping[str, Any]]
