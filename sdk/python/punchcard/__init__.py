"""The client of Punchcard, a service for wallet passes and loyalty programs. See `Punchcard`."""

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

__all__ = [
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
