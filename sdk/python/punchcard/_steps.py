"""The steps of a call, which both clients take. Nothing here reaches the network or a clock."""

from __future__ import annotations

import logging
import random
from dataclasses import dataclass
from typing import Generator, Mapping, Optional, TypeVar, Union, cast

from ._errors import PunchcardError
from ._operations import Body, Operation, Options
from ._reading import Outcome, understand
from ._request import Send, Settings, new_key, prepare

log = logging.getLogger("punchcard")

T = TypeVar("T")


@dataclass(frozen=True)
class Wait:
    """A time to wait for."""

    seconds: float


Steps = Generator[Union[Send, Wait], Optional[Outcome], T]
"""Who takes them sends what is to be sent, gives back its outcome, and waits where it is to wait."""


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
    request_id = given.get("request_id", f"req_{new_key()}")
    request = prepare(settings, operation, path, query, body, given, request_id)
    max_retries = given.get("max_retries", settings.max_retries)
    attempt = 0
    while True:
        outcome = yield request
        try:
            return understand(operation, cast(Outcome, outcome), request_id)
        except PunchcardError as error:
            seconds = _pause(error, attempt)
            if attempt >= max_retries or seconds is None:
                raise
            log.info("%s %s: %s; again in %.1f s", operation.method, operation.path, error, seconds)
        yield Wait(seconds)
        attempt += 1


FIRST_PAUSE, LONGEST_PAUSE, LONGEST_TOLD = 0.5, 8.0, 60.0


def _pause(error: PunchcardError, attempt: int) -> Optional[float]:
    """Seconds until the next attempt; None where there should be none."""
    if not error.retryable:
        return None
    told = error.headers.get("retry-after", "")
    if told.isdecimal():
        # Who is told to come back in an hour wants to know that now.
        return float(told) if int(told) <= LONGEST_TOLD else None
    pause: float = min(FIRST_PAUSE * 2 ** min(attempt, 8), LONGEST_PAUSE)
    return pause * random.uniform(0.75, 1.0)
