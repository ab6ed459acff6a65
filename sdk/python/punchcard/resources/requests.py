"""`punchcard.requests`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Optional

from .. import types
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Operation, Options
from .._pages import Page, Pages

_LIST: Operation[Page[types.Request]] = Operation("GET", "/requests", "page")
_GET: Operation[types.Request] = Operation("GET", "/requests/{requestId}", "json")
_TRACE: Operation[types.Trace] = Operation("GET", "/trace/{requestId}", "json")


class Requests:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[int] = None,
        code: Optional[str] = None,
        op: Optional[str] = None,
        key_id: Optional[str] = None,
        instance_id: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Request]:
        """
        Your requests and their outcomes, newest first.

        Everything that changes something and everything that was refused, a second later and for 30 days; of reads that
        succeed one in ten seconds for each key and operation. Bodies are not kept.

        `GET /requests`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            status: such as 409
            code: such as external_ref_reused
            op: such as earnPoints
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
        """
        return self._caller.pages(
            _LIST,
            options,
            query={
                "limit": limit,
                "cursor": cursor,
                "status": status,
                "code": code,
                "op": op,
                "keyId": key_id,
                "instanceId": instance_id,
                "createdAfter": created_after,
                "createdBefore": created_before,
            },
        )

    def get(self, request_id: str, *, options: Optional[Options] = None) -> types.Request:
        """
        The outcome of a request.

        The newest with this id, where you have sent one and the same with several.

        `GET /requests/{requestId}`

        Args:
            request_id: as X-Request-Id of the answer

        Raises:
            RequestNotFoundError
        """
        return self._caller.call(_GET, options, path={"requestId": request_id})

    def trace(self, request_id: str, *, options: Optional[Options] = None) -> types.Trace:
        """
        All that a request has left.

        What it was answered, what it has changed, entries of the ledger, events, and the outcomes of these at webhooks
        and wallets; up to a hundred of each.

        `GET /trace/{requestId}`

        Args:
            request_id: as X-Request-Id of the answer

        Raises:
            RequestNotFoundError
        """
        return self._caller.call(_TRACE, options, path={"requestId": request_id})


class AsyncRequests:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    list = in_async_pages(Requests.list)
    get = awaited(Requests.get)
    trace = awaited(Requests.trace)
