"""`punchcard.audit`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Optional

from .. import types
from .._asynchronous import in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Operation, Options
from .._pages import Page, Pages

_LIST: Operation[Page[types.AuditLine]] = Operation("GET", "/audit", "page")


class Audit:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        target: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.AuditLine]:
        """
        Who changed what, newest first.

        A line for each change, written with it and never changed. What awards and orders have given is in the ledger
        instead: GET /loyalty/entries.

        `GET /audit`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            action: such as earnPoints
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
        """
        return self._caller.pages(
            _LIST,
            options,
            query={
                "limit": limit,
                "cursor": cursor,
                "actor": actor,
                "action": action,
                "target": target,
                "createdAfter": created_after,
                "createdBefore": created_before,
            },
        )


class AsyncAudit:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    list = in_async_pages(Audit.list)
