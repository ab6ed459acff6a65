"""The client of Punchcard, a service for wallet passes and loyalty programs. See `Punchcard`."""

from typing import Tuple, get_args

from . import types
from ._answers import Answer, File, answer_of
from ._client import AsyncPunchcard, Punchcard
from ._errors import (
    PunchcardConnectionError,
    PunchcardError,
    PunchcardTimeoutError,
    UnexpectedAnswerError,
    WebhookVerificationError,
)
from ._operations import NOT_GIVEN, Maybe, NotGiven, Options
from ._pages import AsyncPages, Page, Pages
from ._version import VERSION as __version__
from ._webhooks import verify_webhook
from .errors import *  # noqa: F403
from .errors import __all__ as _codes

EVENT_TYPES: Tuple[types.EventType, ...] = get_args(types.EventType)
"""Every kind of event that this version knows. Kinds are added at any time: an event may be of another one."""

__all__ = [
    "EVENT_TYPES",
    "NOT_GIVEN",
    "Answer",
    "AsyncPages",
    "AsyncPunchcard",
    "File",
    "Maybe",
    "NotGiven",
    "Options",
    "Page",
    "Pages",
    "Punchcard",
    "PunchcardConnectionError",
    "PunchcardError",
    "PunchcardTimeoutError",
    "UnexpectedAnswerError",
    "WebhookVerificationError",
    "__version__",
    "answer_of",
    "types",
    "verify_webhook",
    *_codes,
]
