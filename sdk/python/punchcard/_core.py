"""
What both clients share: how a call is written, repeated and understood. Nothing here reaches the network or a clock.
"""

from __future__ import annotations

import enum
import json
import random
import uuid
from dataclasses import dataclass
from typing import Any, Dict, Generator, Generic, Literal, Mapping, Optional, TypedDict, TypeVar, Union, cast
from urllib.parse import quote, urlencode

import httpx

from ._answers import Answer, File, Result
from ._errors import PunchcardConnectionError, PunchcardError, PunchcardTimeoutError, UnexpectedAnswerError
from ._pages import Page
from ._version import VERSION
from .errors import ERRORS

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
class Csv:
    """A file in the place of a JSON body."""

    content: Union[str, bytes]


Body = Union[None, Csv, Mapping[str, Any]]


@dataclass(frozen=True)
class Send:
    """The driver sends this, and gives back the answer or what has prevented it."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: Optional[bytes]
    timeout: float


@dataclass(frozen=True)
class Wait:
    """The driver waits."""

    seconds: float


Outcome = Union[httpx.Response, httpx.RequestError]
Steps = Generator[Union[Send, Wait], Optional[Outcome], T]


@dataclass(frozen=True)
class Settings:
    """What all calls of a client have in common."""

    base_url: str
    api_key: Optional[str]
    operator_token: Optional[str]
    timeout: float
    max_retries: int

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            raise ValueError("base_url must begin with http:// or https://, such as https://cards.example.com")


def steps_of(
    settings: Settings,
    operation: Operation[T],
    path: Mapping[str, str],
    query: Mapping[str, object],
    body: Body,
    options: Optional[Options],
) -> Steps[T]:
    """
    The steps of a call: sends it until it has an answer that is none of "try again", or there were enough attempts. All
    attempts are the same request under the same key, so that it takes place once.
    """
    given = options or {}
    request_id = given.get("request_id", f"req_{_new_key()}")
    request = _request(settings, operation, path, query, body, given, request_id)
    max_retries = given.get("max_retries", settings.max_retries)
    attempt = 0
    while True:
        outcome = yield request
        try:
            return _understand(operation, cast(Outcome, outcome), request_id)
        except PunchcardError as error:
            seconds = _pause(error, attempt)
            if attempt >= max_retries or seconds is None:
                raise
        yield Wait(seconds)
        attempt += 1


def _request(
    settings: Settings,
    operation: Operation[T],
    path: Mapping[str, str],
    query: Mapping[str, object],
    body: Body,
    options: Options,
    request_id: str,
) -> Send:
    url = settings.base_url.rstrip("/")
    url += ("" if url.endswith("/v1") else "/v1") + _filled(operation.path, path)
    asked = {name: _as_text(value) for name, value in query.items() if value is not None}
    if asked:
        url += f"?{urlencode(asked)}"
    headers = {
        "Accept": "*/*",
        "User-Agent": f"punchcard-python/{VERSION}",
        "X-Request-Id": request_id,
    }
    token = settings.operator_token if operation.credential == "operator" else settings.api_key
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    content: Optional[bytes] = None
    if isinstance(body, Csv):
        headers["Content-Type"] = "text/csv"
        content = body.content if isinstance(body.content, bytes) else body.content.encode("utf-8")
    elif body is not None:
        headers["Content-Type"] = "application/json"
        said = {name: value for name, value in body.items() if value is not NOT_GIVEN}
        if operation.key == "externalRef" and "idempotency_key" not in options:
            said.setdefault("externalRef", _new_key())
        content = json.dumps(said, ensure_ascii=False, allow_nan=False).encode("utf-8")
    if "idempotency_key" in options:
        headers["Idempotency-Key"] = options["idempotency_key"]
    elif operation.key == "header":
        headers["Idempotency-Key"] = _new_key()
    # Who asks to be kept waiting has to wait for so much longer.
    asked_to_wait = cast(int, query.get("wait") or 0)
    timeout = options.get("timeout", settings.timeout) + asked_to_wait
    return Send(operation.method, url, headers, content, timeout)


def _new_key() -> str:
    """A key that no other call has."""
    return uuid.uuid4().hex


def _filled(template: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        # Such a segment would lead to another operation, however it is written.
        if value in ("", ".", ".."):
            raise ValueError(f"{name} must name something, not {value!r}")
        template = template.replace("{" + name + "}", quote(value, safe=""))
    return template


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _understand(operation: Operation[T], outcome: Outcome, request_id: str) -> T:
    """What the call returns, or raises."""
    if isinstance(outcome, httpx.RequestError):
        raise _unreached(outcome, request_id) from outcome
    answer = Answer(
        outcome.status_code,
        outcome.headers.get("x-request-id", request_id),
        outcome.headers.get("idempotent-replayed") == "true",
        outcome.headers,
    )
    if not 200 <= answer.status < 300:
        raise _refused(answer, _json_of(outcome, answer))
    return cast(T, _value(operation, outcome, answer))


def _value(operation: Operation[T], response: httpx.Response, answer: Answer) -> object:
    if operation.answers == "nothing":
        return answer
    if operation.answers == "file":
        return File(response.content, response.headers.get("content-type", ""), answer)
    body = _json_of(response, answer)
    if body is None:
        raise _unexpected(answer)
    if operation.answers == "page":
        return Page(body["data"], body["nextCursor"], answer)
    return Result(body, answer)


def _json_of(response: httpx.Response, answer: Answer) -> Optional[Dict[str, Any]]:
    """The object in the body; None where there is none. One that ends too early is a lost connection."""
    if not response.headers.get("content-type", "").startswith("application/json"):
        return None
    try:
        value = json.loads(response.content)
    except ValueError:
        raise PunchcardConnectionError(
            "The answer was cut off.",
            code="connection_failed",
            request_id=answer.request_id,
            retryable=True,
        ) from None
    return value if isinstance(value, dict) else None


def _unreached(error: httpx.RequestError, request_id: str) -> PunchcardError:
    if isinstance(error, httpx.TimeoutException):
        return PunchcardTimeoutError(
            "The service has not answered in time.", code="timed_out", request_id=request_id, retryable=True
        )
    return PunchcardConnectionError(
        f"The service could not be reached, or its answer was cut off: {error or type(error).__name__}",
        code="connection_failed",
        request_id=request_id,
        # What cannot be sent at all will not be sent next time.
        retryable=not isinstance(error, (httpx.UnsupportedProtocol, httpx.LocalProtocolError)),
    )


def _refused(answer: Answer, body: Optional[Dict[str, Any]]) -> PunchcardError:
    if body is None or not isinstance(body.get("code"), str):
        return _unexpected(answer)
    return ERRORS.get(body["code"], PunchcardError)(
        str(body.get("error", "")),
        code=body["code"],
        request_id=answer.request_id,
        retryable=answer.status in (429, 503) or (answer.status == 500 and body.get("retryable") is True),
        body=body,
        answer=answer,
    )


def _unexpected(answer: Answer) -> UnexpectedAnswerError:
    return UnexpectedAnswerError(
        f"Something that is not Punchcard has answered, with HTTP {answer.status}. Check the base_url.",
        code="unexpected_answer",
        request_id=answer.request_id,
        retryable=answer.status in (429, 502, 503, 504),
        answer=answer,
    )


FIRST_PAUSE, LONGEST_PAUSE, LONGEST_TOLD = 0.5, 8.0, 60.0


def _pause(error: PunchcardError, attempt: int) -> Optional[float]:
    """Seconds until the next attempt; None where there should be none."""
    if not error.retryable:
        return None
    told = error.headers.get("retry-after", "")
    if told.isdecimal():
        # Who is told to come back in an hour wants to know that now.
        return float(told) if int(told) <= LONGEST_TOLD else None
    pause: float = min(FIRST_PAUSE * 2**attempt, LONGEST_PAUSE)
    return pause * random.uniform(0.75, 1.0)
