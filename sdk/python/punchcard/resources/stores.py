"""`punchcard.stores`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Any, List, Literal, Optional, Union

from .. import types
from .._answers import Answer
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_CONNECT: Operation[types.Store] = Operation("POST", "/stores", "json", "header")
_LIST: Operation[Page[types.Store]] = Operation("GET", "/stores", "page")
_GET: Operation[types.Store] = Operation("GET", "/stores/{storeId}", "json")
_UPDATE: Operation[types.Store] = Operation("PATCH", "/stores/{storeId}", "json", "header")
_DISCONNECT: Operation[Answer] = Operation("DELETE", "/stores/{storeId}", "nothing", "header")
_TEST: Operation[types.StoreTest] = Operation("POST", "/stores/{storeId}/test", "json")
_PRIVACY_REQUESTS: Operation[Page[types.PrivacyRequest]] = Operation(
    "GET",
    "/stores/{storeId}/privacy-requests",
    "page",
)


class Stores:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def connect(
        self,
        *,
        platform: Union[Literal["shopify"], Literal["woocommerce"], Literal["custom"]],
        domain: str,
        webhook_secret: str,
        credentials: Maybe[Union[types.ShopifyCredentials, types.WooCommerceCredentials]] = NOT_GIVEN,
        pass_id: Maybe[Optional[str]] = NOT_GIVEN,
        consent: Maybe[Union[Any, Optional[Union[types.StoreConsent1, types.StoreChangesConsent2]]]] = NOT_GIVEN,
        follows_edits: Maybe[bool] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Store:
        """
        Connect an online store.

        Orders that are placed from now on earn on the cards of the pass. Nothing is asked of the store: test it with
        POST /stores/{storeId}/test, then have it send the topics in `webhookTopics` to `webhookUrl`. docs/STORES.md
        goes through it platform by platform.

        `POST /stores`

        Args:
            domain: the host of the store, with `:port` if needed
            webhook_secret: 16 to 255 printable characters, which sign the webhooks. Kept encrypted, and never shown
            consent: Shopify itself says which customers may be mailed
            follows_edits: whether an order that is edited after it was paid earns by its newest total

        Raises:
            PassNotFoundError, StoreAlreadyConnectedError
        """
        return self._caller.call(
            _CONNECT,
            options,
            body={
                "platform": platform,
                "domain": domain,
                "credentials": credentials,
                "webhookSecret": webhook_secret,
                "passId": pass_id,
                "consent": consent,
                "followsEdits": follows_edits,
            },
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Store]:
        """
        List stores.

        Those that were disconnected are among them.

        `GET /stores`

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

    def get(self, store_id: str, *, options: Optional[Options] = None) -> types.Store:
        """
        A store.

        `problem` says what a member has to look at: that the store cannot be read, or what its orders wait for.

        `GET /stores/{storeId}`

        Raises:
            StoreNotFoundError
        """
        return self._caller.call(_GET, options, path={"storeId": store_id})

    def update(
        self,
        store_id: str,
        *,
        credentials: Maybe[Union[types.ShopifyCredentials, types.WooCommerceCredentials]] = NOT_GIVEN,
        webhook_secret: Maybe[str] = NOT_GIVEN,
        pass_id: Maybe[Optional[str]] = NOT_GIVEN,
        consent: Maybe[Optional[Union[types.StoreConsent1, types.StoreChangesConsent2]]] = NOT_GIVEN,
        follows_edits: Maybe[bool] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Store:
        """
        Change credentials, webhook secret, pass or consent of a store.

        Absent leaves alone, null clears. A former webhook secret is taken for another hour. What waits is tried again
        at once.

        `PATCH /stores/{storeId}`

        Args:
            credentials: of a key that may read customers and orders; kept encrypted, and never shown
            webhook_secret: 16 to 255 printable characters, which sign the webhooks. Kept encrypted, and never shown
            follows_edits: whether an order that is edited after it was paid earns by its newest total

        Raises:
            StoreNotFoundError, PassNotFoundError
        """
        return self._caller.call(
            _UPDATE,
            options,
            path={"storeId": store_id},
            body={
                "credentials": credentials,
                "webhookSecret": webhook_secret,
                "passId": pass_id,
                "consent": consent,
                "followsEdits": follows_edits,
            },
        )

    def disconnect(self, store_id: str, *, options: Optional[Options] = None) -> Answer:
        """
        Disconnect a store.

        Its credentials are deleted, and what it sends from now on earns nothing; what it has sent before still counts.
        Cards and points stay. Connected again, it is the same store.

        `DELETE /stores/{storeId}`

        Raises:
            StoreNotFoundError
        """
        return self._caller.call(_DISCONNECT, options, path={"storeId": store_id})

    def test(self, store_id: str, *, options: Optional[Options] = None) -> types.StoreTest:
        """
        Ask a store whether it can be read.

        Asks for its name with the credentials that are kept. A store that could not be read before, and can be now, is
        read at once; of a `custom` one nothing is asked.

        `POST /stores/{storeId}/test`

        Raises:
            StoreNotFoundError
        """
        return self._caller.call(_TEST, options, path={"storeId": store_id})

    def privacy_requests(
        self,
        store_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.PrivacyRequest]:
        """
        What a platform has demanded for the privacy of customers, and what was done.

        A `data_request` names the cards and orders of the customer, whom you answer. The service has erased by itself
        what had to be erased.

        `GET /stores/{storeId}/privacy-requests`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            StoreNotFoundError
        """
        return self._caller.pages(
            _PRIVACY_REQUESTS,
            options,
            path={"storeId": store_id},
            query={"limit": limit, "cursor": cursor, "createdAfter": created_after, "createdBefore": created_before},
        )


class AsyncStores:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    connect = awaited(Stores.connect)
    list = in_async_pages(Stores.list)
    get = awaited(Stores.get)
    update = awaited(Stores.update)
    disconnect = awaited(Stores.disconnect)
    test = awaited(Stores.test)
    privacy_requests = in_async_pages(Stores.privacy_requests)
