"""`punchcard.webhooks`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Literal, Optional

from .. import types
from .._answers import Answer
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages
from .._webhooks import WebhookReceiver

_CREATE: Operation[types.WebhookWithSecret] = Operation("POST", "/webhooks", "json", "header")
_LIST: Operation[Page[types.Webhook]] = Operation("GET", "/webhooks", "page")
_GET: Operation[types.Webhook] = Operation("GET", "/webhooks/{webhookId}", "json")
_UPDATE: Operation[types.Webhook] = Operation("PATCH", "/webhooks/{webhookId}", "json", "header")
_DELETE: Operation[Answer] = Operation("DELETE", "/webhooks/{webhookId}", "nothing", "header")
_ROTATE_SECRET: Operation[types.WebhookWithSecret] = Operation("POST", "/webhooks/{webhookId}/rotate", "json", "header")
_TEST: Operation[types.SentTest] = Operation("POST", "/webhooks/{webhookId}/test", "json", "header")
_RECOVER: Operation[types.RecoveredEvents] = Operation("POST", "/webhooks/{webhookId}/recover", "json", "header")
_DELIVERIES: Operation[Page[types.Delivery]] = Operation("GET", "/webhooks/{webhookId}/deliveries", "page")
_DELIVERY: Operation[types.Delivery] = Operation("GET", "/webhooks/{webhookId}/deliveries/{deliveryId}", "json")
_RESEND: Operation[types.Delivery] = Operation(
    "POST",
    "/webhooks/{webhookId}/deliveries/{deliveryId}/resend",
    "json",
    "header",
)


class Webhooks(WebhookReceiver):
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        url: str,
        types: List[str],
        pass_ids: Maybe[Optional[List[str]]] = NOT_GIVEN,
        description: Maybe[Optional[str]] = NOT_GIVEN,
        payload: Maybe[Literal["full", "thin"]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.WebhookWithSecret:
        """
        Have events posted to a URL.

        From now on each event of these kinds is posted there, signed as Standard Webhooks 1.0.0 has it; the `secret`
        that verifies it is shown once. Receivers may get an event more than once, by the same `webhook-id`, and in any
        order: `seq` shows which is the newer. docs/API.md, "Webhooks", says how a receiver answers and when it is tried
        again.

        `POST /webhooks`

        Args:
            url: where events are posted to: https, at a host that everyone on the Internet can reach
            types: `*` for all, kinds of events, or `points.*` for those that begin alike
            pass_ids: only events of these passes; null for all
            description: what it is for

        Raises:
            WebhookLimitReachedError
        """
        return self._caller.call(
            _CREATE,
            options,
            body={"url": url, "types": types, "passIds": pass_ids, "description": description, "payload": payload},
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Webhook]:
        """
        List webhooks.

        Each with the outcomes of the events of the last day.

        `GET /webhooks`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
        """
        return self._caller.pages(
            _LIST,
            options,
            query={"limit": limit, "cursor": cursor, "createdAfter": created_after, "createdBefore": created_before},
        )

    def get(self, webhook_id: str, *, options: Optional[Options] = None) -> types.Webhook:
        """
        A webhook.

        `problem` says what a member has to look at: that it fails, or why it was disabled.

        `GET /webhooks/{webhookId}`

        Raises:
            WebhookNotFoundError
        """
        return self._caller.call(_GET, options, path={"webhookId": webhook_id})

    def update(
        self,
        webhook_id: str,
        *,
        url: Maybe[str] = NOT_GIVEN,
        types: Maybe[List[str]] = NOT_GIVEN,
        pass_ids: Maybe[Optional[List[str]]] = NOT_GIVEN,
        description: Maybe[Optional[str]] = NOT_GIVEN,
        payload: Maybe[Literal["full", "thin"]] = NOT_GIVEN,
        status: Maybe[Literal["active", "paused"]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Webhook:
        """
        Change a webhook, pause or activate it.

        Absent leaves alone, null clears. While a webhook is paused or disabled nothing is sent and nothing kept for it:
        `recover` sends what it missed.

        `PATCH /webhooks/{webhookId}`

        Args:
            url: where events are posted to: https, at a host that everyone on the Internet can reach
            types: `*` for all, kinds of events, or `points.*` for those that begin alike
            pass_ids: only events of these passes; null for all
            description: what it is for

        Raises:
            WebhookNotFoundError
        """
        return self._caller.call(
            _UPDATE,
            options,
            path={"webhookId": webhook_id},
            body={
                "url": url,
                "types": types,
                "passIds": pass_ids,
                "description": description,
                "payload": payload,
                "status": status,
            },
        )

    def delete(self, webhook_id: str, *, options: Optional[Options] = None) -> Answer:
        """
        Delete a webhook.

        Nothing more is sent there, including what was about to be sent.

        `DELETE /webhooks/{webhookId}`

        Raises:
            WebhookNotFoundError
        """
        return self._caller.call(_DELETE, options, path={"webhookId": webhook_id})

    def rotate_secret(self, webhook_id: str, *, options: Optional[Options] = None) -> types.WebhookWithSecret:
        """
        A new secret for a webhook.

        For 24 hours messages are signed with the secrets before, too, so that a receiver can change over at its
        leisure.

        `POST /webhooks/{webhookId}/rotate`

        Raises:
            WebhookNotFoundError
        """
        return self._caller.call(_ROTATE_SECRET, options, path={"webhookId": webhook_id})

    def test(self, webhook_id: str, *, options: Optional[Options] = None) -> types.SentTest:
        """
        Send a webhook a test.

        An event of the kind `webhook.test` is sent to it alone, once, whatever its status and kinds. Its delivery
        shows, in a moment, what was answered.

        `POST /webhooks/{webhookId}/test`

        Raises:
            WebhookNotFoundError
        """
        return self._caller.call(_TEST, options, path={"webhookId": webhook_id})

    def recover(self, webhook_id: str, *, since: str, options: Optional[Options] = None) -> types.RecoveredEvents:
        """
        Send again what was not delivered.

        Events since the moment, or seconds before, at most 14 days ago, which the webhook wants to hear of and did not
        get, those among them that happened while it was paused or disabled. What was delivered since is left out.
        10,000 a call, of 50,000 events: where `nextSince` is not null, call again with it.

        `POST /webhooks/{webhookId}/recover`

        Args:
            since: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            WebhookNotFoundError, WebhookNotActiveError
        """
        return self._caller.call(_RECOVER, options, path={"webhookId": webhook_id}, body={"since": since})

    def deliveries(
        self,
        webhook_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["waiting", "delivered", "failed"]] = None,
        type: Optional[types.EventType] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Delivery]:
        """
        The outcomes of the events of a webhook.

        The newest events first; kept for 30 days.

        `GET /webhooks/{webhookId}/deliveries`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            WebhookNotFoundError
        """
        return self._caller.pages(
            _DELIVERIES,
            options,
            path={"webhookId": webhook_id},
            query={
                "limit": limit,
                "cursor": cursor,
                "status": status,
                "type": type,
                "createdAfter": created_after,
                "createdBefore": created_before,
            },
        )

    def delivery(self, webhook_id: str, delivery_id: str, *, options: Optional[Options] = None) -> types.Delivery:
        """
        The outcome of an event at a webhook.

        With its attempts. What the receiver has answered is shown to keys with full access alone.

        `GET /webhooks/{webhookId}/deliveries/{deliveryId}`

        Raises:
            WebhookNotFoundError, DeliveryNotFoundError
        """
        return self._caller.call(_DELIVERY, options, path={"webhookId": webhook_id, "deliveryId": delivery_id})

    def resend(self, webhook_id: str, delivery_id: str, *, options: Optional[Options] = None) -> types.Delivery:
        """
        Send an event to a webhook again.

        At once, whatever the status of the webhook. Where it was delivered or given up it is tried once; one that waits
        goes on as it would have.

        `POST /webhooks/{webhookId}/deliveries/{deliveryId}/resend`

        Raises:
            WebhookNotFoundError, DeliveryNotFoundError
        """
        return self._caller.call(_RESEND, options, path={"webhookId": webhook_id, "deliveryId": delivery_id})


class AsyncWebhooks(WebhookReceiver):
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    create = awaited(Webhooks.create)
    list = in_async_pages(Webhooks.list)
    get = awaited(Webhooks.get)
    update = awaited(Webhooks.update)
    delete = awaited(Webhooks.delete)
    rotate_secret = awaited(Webhooks.rotate_secret)
    test = awaited(Webhooks.test)
    recover = awaited(Webhooks.recover)
    deliveries = in_async_pages(Webhooks.deliveries)
    delivery = awaited(Webhooks.delivery)
    resend = awaited(Webhooks.resend)
