"""What every error of the client has; the class of each code is printed into `errors.py`."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Tuple, Type

from ._answers import Answer


class PunchcardError(Exception):
    """A call that has failed. Branch on `code` or on the class, never on the message, which may be reworded."""

    message: str
    """What is the matter, in words; `str(error)` has the code and the request id beside them."""
    code: str
    """Stable; a newer service may have codes that this version has no class for."""
    status: Optional[int]
    """The HTTP status; None where no answer came."""
    request_id: str
    """Names the request to the operator of the service, also where no answer came."""
    retryable: bool
    """Whether the same call may be sent again as it is. The client has done so, as often as it may."""
    body: Mapping[str, Any]
    """The answer as it came: some codes bring fields of their own."""
    headers: Mapping[str, str]
    """Of the answer."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        request_id: str,
        retryable: bool = False,
        body: Optional[Mapping[str, Any]] = None,
        answer: Optional[Answer] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.request_id = request_id
        self.retryable = retryable
        self.body = body or {}
        self.answer = answer
        self.status = None if answer is None else answer.status
        self.headers = {} if answer is None else answer.headers

    def __reduce__(self) -> Tuple[Any, ...]:
        # Queues of tasks send errors from process to process.
        return _rebuilt, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        return f"{super().__str__()} ({self.code}, {self.request_id})"


def _rebuilt(kind: Type[PunchcardError], args: Tuple[Any, ...], facts: Dict[str, Any]) -> PunchcardError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class PunchcardConnectionError(PunchcardError):
    """No answer came, or not all of it. It is unknown whether the call was carried out; the same key makes a repeat safe."""


class PunchcardTimeoutError(PunchcardError):
    """No answer came in time. It is unknown whether the call was carried out; the same key makes a repeat safe."""


class UnexpectedAnswerError(PunchcardError):
    """Something other than the service has answered, such as a gateway in front of it, or what is at another `base_url`."""


class WebhookVerificationError(Exception):
    """A message that the service has not signed, or not lately. Answer it with 400."""


class Field:
    """A field of an error's body."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, error: Any, owner: Any = None) -> Any:
        return self if error is None else error.body.get(self._name)


def field(name: str) -> Any:
    """Declares a field of an error's body, under the type that the class gives it."""
    return Field(name)
