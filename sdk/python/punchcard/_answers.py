"""What calls return beside the objects of the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping


@dataclass(frozen=True)
class Answer:
    """How the service has answered. Calls that answer nothing else return it."""

    status: int
    request_id: str
    replayed: bool
    """Whether the call had been carried out before, under the same key, and this is the answer that it got then."""
    headers: Mapping[str, str]


@dataclass(frozen=True)
class File:
    """An answer that is no JSON: a picture, a CSV file."""

    content: bytes
    content_type: str
    answer: Answer

    @property
    def text(self) -> str:
        return self.content.decode("utf-8")

    @property
    def request_id(self) -> str:
        return self.answer.request_id


class Result(Dict[str, Any]):
    """An object of the API: a dict, which knows how it came."""

    __slots__ = ("answer",)

    def __init__(self, body: Mapping[str, Any], answer: Answer) -> None:
        super().__init__(body)
        self.answer = answer


def answer_of(result: Mapping[str, object]) -> Answer:
    """How the service has answered with what a call returned: `answer_of(award).request_id`."""
    if not isinstance(result, Result):
        raise TypeError("only what a call has returned itself has an answer, not a part or a copy of it")
    return result.answer
