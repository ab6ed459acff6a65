"""`punchcard.events`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Optional

from .. import types
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Operation, Options
from .._pages import Page, Pages
from .._follow import AsyncEventFollower, EventFollower

_LIST: Operation[Page[types.Event]] = Operation("GET", "/events", "page")
_GET: Operation[types.Event] = Operation("GET", "/events/{eventId}", "json")


class Events(EventFollower):
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        type: Optional[str] = None,
        pass_id: Optional[str] = None,
        instance_id: Optional[str] = None,
        after_seq: Optional[int] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        wait: Optional[int] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Event]:
        """
        What has happened.

        With after_seq the events behind that number in their order, for a reader who goes on from the last one and so
        misses none; otherwise the newest first. wait holds the answer until there is one. Kept for 30 days.

        `GET /events`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            type: a kind of event, or several with commas between them
            after_seq: the last number that was read; 0 for the first
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            wait: seconds, with after_seq; 30 at most

        Raises:
            PassNotFoundError, InstanceNotFoundError
        """
        return self._caller.pages(
            _LIST,
            options,
            query={
                "limit": limit,
                "cursor": cursor,
                "type": type,
                "passId": pass_id,
                "instanceId": instance_id,
                "afterSeq": after_seq,
                "createdAfter": created_after,
                "createdBefore": created_before,
                "wait": wait,
            },
        )

    def get(self, event_id: str, *, options: Optional[Options] = None) -> types.Event:
        """
        An event.

        One event by its id, as lists and webhooks show it. Kept for 30 days.

        `GET /events/{eventId}`

        Raises:
            EventNotFoundError
        """
        return self._caller.call(_GET, options, path={"eventId": event_id})


class AsyncEvents(AsyncEventFollower):
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    list = in_async_pages(Events.list)
    get = awaited(Events.get)
