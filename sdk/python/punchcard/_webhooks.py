"""Webhooks as Standard Webhooks 1.0.0 signs them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Iterable, Optional, Protocol, Sequence, Tuple, Union, cast

from ._errors import WebhookVerificationError
from .types import WebhookEvent

TOLERANCE = 5 * 60


class Headers(Protocol):
    """What the header mappings of all web frameworks have."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


class WebhookReceiver:
    """What webhooks have beside their operations."""

    @staticmethod
    def verify(
        raw_body: Union[bytes, str],
        headers: Headers,
        secret: Union[str, Sequence[str]],
        *,
        now: Optional[float] = None,
    ) -> WebhookEvent:
        """The event that a webhook has brought: `verify_webhook`."""
        return verify_webhook(raw_body, headers, secret, now=now)


def verify_webhook(
    raw_body: Union[bytes, str],
    headers: Headers,
    secret: Union[str, Sequence[str]],
    *,
    now: Optional[float] = None,
) -> WebhookEvent:
    """
    The event that a webhook has brought, or `WebhookVerificationError` where the service has not signed it with the secret,
    or one of several, in the last five minutes. `raw_body` is the body byte for byte, before anything parses it.
    """
    raw = raw_body.encode("utf-8") if isinstance(raw_body, str) else bytes(raw_body)
    _verify_signature(raw, headers, [secret] if isinstance(secret, str) else secret, time.time() if now is None else now)
    return _event_in(raw)


def _verify_signature(raw: bytes, headers: Headers, secrets: Sequence[str], now: float) -> None:
    sent = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (
        sent.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not (message_id and timestamp and signatures):
        raise WebhookVerificationError("A header of the webhook is missing.")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > TOLERANCE:
        raise WebhookVerificationError("The webhook is too old, or a clock is wrong.")
    signed = f"{message_id}.{timestamp}.".encode("utf-8") + raw
    expected = [_signature(secret, signed) for secret in secrets]
    given = [part[3:].encode("utf-8") for part in signatures.split(" ") if part.startswith("v1,")]
    # All of them are compared, so that the time tells nothing.
    if not sum(hmac.compare_digest(one, other) for one in given for other in expected):
        raise WebhookVerificationError("No signature fits.")


def _signature(secret: str, signed: bytes) -> bytes:
    _, found, text = secret.partition("whsec_")
    try:
        key = base64.b64decode(text if found else "-", validate=True)
    except binascii.Error:
        raise ValueError("The secret of a webhook is `whsec_` and base64.") from None
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())


def _event_in(raw: bytes) -> WebhookEvent:
    try:
        message: Any = json.loads(raw)
    except ValueError:
        raise WebhookVerificationError("The body is no JSON.") from None
    if not isinstance(message, dict) or "eventId" not in (message.get("data") or {}):
        raise WebhookVerificationError("The body is no event.")
    return cast(WebhookEvent, message["data"])
