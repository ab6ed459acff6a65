"""What is sent, the same for each attempt."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import Mapping, Optional, TypeVar, cast
from urllib.parse import quote, urlencode

from ._operations import NOT_GIVEN, Body, FileBody, Operation, Options
from ._version import VERSION

T = TypeVar("T")


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
        for name, secret in (("api_key", self.api_key), ("operator_token", self.operator_token)):
            if secret is not None and not (secret.isascii() and secret.isprintable() and secret.strip()):
                raise ValueError(f"{name} is empty, or has characters that no key has")


@dataclass(frozen=True)
class Send:
    """A request."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: Optional[bytes]
    timeout: float


def prepare(
    settings: Settings,
    operation: Operation[T],
    path: Mapping[str, str],
    query: Mapping[str, object],
    body: Body,
    options: Options,
    request_id: str,
) -> Send:
    """A call as it is sent: with its key, which is made before the first attempt."""
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
    if isinstance(body, FileBody):
        headers["Content-Type"] = body.media_type
        content = body.content if isinstance(body.content, bytes) else body.content.encode("utf-8")
    elif body is not None:
        headers["Content-Type"] = "application/json"
        said = {name: value for name, value in body.items() if value is not NOT_GIVEN}
        if operation.key == "externalRef" and "idempotency_key" not in options:
            said.setdefault("externalRef", new_key())
        content = json.dumps(said, allow_nan=False).encode("utf-8")
    if "idempotency_key" in options:
        headers["Idempotency-Key"] = options["idempotency_key"]
    elif operation.key == "header":
        headers["Idempotency-Key"] = new_key()
    # Who asks to be kept waiting has to wait for so much longer.
    asked_to_wait = cast(int, query.get("wait") or 0)
    timeout = options.get("timeout", settings.timeout) + asked_to_wait
    return Send(operation.method, url, headers, content, timeout)


def new_key() -> str:
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
