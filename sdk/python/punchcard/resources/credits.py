"""`punchcard.credits`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Optional

from .. import types
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Operation, Options
from .._pages import Page, Pages

_GET: Operation[types.CreditAccount] = Operation("GET", "/credits", "json")
_ENTRIES: Operation[Page[types.CreditEntry]] = Operation("GET", "/credits/entries", "page")


class Credits:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, options: Optional[Options] = None) -> types.CreditAccount:
        """
        Credit balance.

        What is free to spend, what is held for pushes under way, and what was spent.

        `GET /credits`
        """
        return self._caller.call(_GET, options)

    def entries(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.CreditEntry]:
        """
        The credit ledger, newest first.

        Every top-up and correction, and what pushes have taken and given back. An entry covers all that was paid for
        together: it names the card, the message, the rollout and the request where they are one, and null where they
        are several.

        `GET /credits/entries`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
        """
        return self._caller.pages(
            _ENTRIES,
            options,
            query={"limit": limit, "cursor": cursor, "createdAfter": created_after, "createdBefore": created_before},
        )


class AsyncCredits:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    get = awaited(Credits.get)
    entries = in_async_pages(Credits.entries)
