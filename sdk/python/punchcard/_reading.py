"""What a call returns or raises, of what has come back."""

from __future__ import annotations

import json
from typing import Any, Dict, Optional, TypeVar, Union, cast

import httpx

from ._answers import Answer, File, Result
from ._errors import PunchcardConnectionError, PunchcardError, PunchcardTimeoutError, UnexpectedAnswerError
from ._operations import Operation
from ._pages import Page
from .errors import ERRORS

T = TypeVar("T")

Outcome = Union[httpx.Response, httpx.RequestError]
"""The answer to a request, or what has prevented it."""


def understand(operation: Operation[T], outcome: Outcome, request_id: str) -> T:
    """The value of the call. Raises what has become of it instead."""
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
        if "data" not in body:
            raise _unexpected(answer)
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
