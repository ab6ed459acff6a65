"""`punchcard.statistics`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Literal, Optional

from .. import types
from .._asynchronous import awaited
from .._callers import AsyncCaller, Caller
from .._operations import Operation, Options

_GET: Operation[types.Statistics] = Operation("GET", "/statistics", "json")
_VISITORS: Operation[types.Visitors] = Operation("GET", "/statistics/visitors", "json")


class Statistics:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        pass_id: Optional[str] = None,
        partner_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        by: Optional[Literal["day", "week", "month", "partner"]] = None,
        options: Optional[Options] = None,
    ) -> types.Statistics:
        """
        What has happened by day, week, month or partner.

        Of a pass or of all, of a partner or of all. Days are those of the time zone of the workspace; weeks begin on
        Mondays; weeks and months are whole. By default the last 30 days. limit and cursor are for partners: by day,
        week and month the answer has all.

        `GET /statistics`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            from_: a day such as 2026-11-03, in the time zone of the workspace
            to: a day such as 2026-11-03, in the time zone of the workspace

        Raises:
            PassNotFoundError, PartnerNotFoundError
        """
        return self._caller.call(
            _GET,
            options,
            query={
                "limit": limit,
                "cursor": cursor,
                "passId": pass_id,
                "partnerId": partner_id,
                "from": from_,
                "to": to,
                "by": by,
            },
        )

    def visitors(
        self,
        *,
        pass_id: Optional[str] = None,
        days: Optional[int] = None,
        away: Optional[int] = None,
        options: Optional[Options] = None,
    ) -> types.Visitors:
        """
        Who came lately, who came before, and who did not come for long.

        Of a pass or of all: cards that were awarded or redeemed in the last days, 30 unless `days` says another number,
        and those that were not for 60, or `away`. Who holds cards of two passes counts twice.

        `GET /statistics/visitors`

        Args:
            days: a number of days, today among them
            away: a number of days, today among them

        Raises:
            PassNotFoundError
        """
        return self._caller.call(_VISITORS, options, query={"passId": pass_id, "days": days, "away": away})


class AsyncStatistics:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    get = awaited(Statistics.get)
    visitors = awaited(Statistics.visitors)
