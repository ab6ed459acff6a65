"""`punchcard.sweeps`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Optional, Union

from .. import types
from .._answers import Answer, File
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_START: Operation[types.Sweep] = Operation("POST", "/passes/{passId}/invites/sweep", "json", "header")
_GET: Operation[types.Sweep] = Operation("GET", "/passes/{passId}/invites/sweep", "json")
_PROGRESS: Operation[Union[File, Answer]] = Operation("GET", "/passes/{passId}/invites/sweep/progress", "file")
_CANCEL: Operation[types.Sweep] = Operation("POST", "/passes/{passId}/invites/sweep/cancel", "json", "header")
_RESULTS: Operation[Page[types.SweepItem]] = Operation("GET", "/passes/{passId}/invites/sweep/results", "page")
_RESULTS_CSV: Operation[File] = Operation("GET", "/passes/{passId}/invites/sweep/results", "file")


class Sweeps:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def start(
        self,
        pass_id: str,
        *,
        store_id: Maybe[str] = NOT_GIVEN,
        dry_run: Maybe[bool] = NOT_GIVEN,
        limit: Maybe[int] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Sweep:
        """
        Invite a store's existing customers.

        Those who have agreed to be written to, each address once. Works in the background; `state` says how far it is.
        The store is `store_id`, else the one that is connected with the pass, else the only one. Customers who have a
        card, were invited before or want no mail are left out. `sweep_running` has the `state` of the sweep that is
        running.

        `POST /passes/{passId}/invites/sweep`

        Args:
            dry_run: counts the outcome for each customer, and invites none of them
            limit: the most customers that are invited

        Raises:
            PassNotFoundError, StoreNotFoundError, PassNotActiveError, SweepRunningError, SweepFailedError
        """
        return self._caller.call(
            _START,
            options,
            path={"passId": pass_id},
            body={"storeId": store_id, "dryRun": dry_run, "limit": limit},
        )

    def get(self, pass_id: str, *, options: Optional[Options] = None) -> types.Sweep:
        """
        The last sweep of a pass.

        How far it is, or how it has ended.

        `GET /passes/{passId}/invites/sweep`

        Raises:
            PassNotFoundError, SweepNotFoundError
        """
        return self._caller.call(_GET, options, path={"passId": pass_id})

    def progress(self, pass_id: str, *, options: Optional[Options] = None) -> Union[File, Answer]:
        """
        How far the last sweep of a pass has come, as it goes on.

        Server-sent events: `progress` with what `getSweep` answers, at once unless Last-Event-ID names that state, and
        whenever it changes; `done` with the same once it has ended and no mail waits, and then the stream ends. Who
        comes again with the id of that is answered 204, which ends an EventSource. A comment every 15 seconds while
        nothing happens. A key that is revoked is cut off.

        `GET /passes/{passId}/invites/sweep/progress`

        Raises:
            PassNotFoundError, SweepNotFoundError
        """
        return self._caller.call(_PROGRESS, options, path={"passId": pass_id})

    def cancel(self, pass_id: str, *, options: Optional[Options] = None) -> types.Sweep:
        """
        End the sweep of a pass.

        No further customer is invited, and mails that wait are not sent. A sweep that has ended stays as it is.

        `POST /passes/{passId}/invites/sweep/cancel`

        Raises:
            PassNotFoundError, SweepNotFoundError
        """
        return self._caller.call(_CANCEL, options, path={"passId": pass_id})

    def results(
        self,
        pass_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.SweepItem]:
        """
        The outcome for each customer in the last sweep.

        In the order of their numbers, as text; kept for 90 days. With `format=csv` all of them in one file; text that a
        spreadsheet would take for a formula begins with an apostrophe. A dry run has none.

        `GET /passes/{passId}/invites/sweep/results`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before

        Raises:
            PassNotFoundError, SweepNotFoundError
        """
        return self._caller.pages(_RESULTS, options, path={"passId": pass_id}, query={"limit": limit, "cursor": cursor})

    def results_csv(self, pass_id: str, *, options: Optional[Options] = None) -> File:
        """
        The outcome for each customer in the last sweep.

        In the order of their numbers, as text; kept for 90 days. With `format=csv` all of them in one file; text that a
        spreadsheet would take for a formula begins with an apostrophe. A dry run has none.

        `GET /passes/{passId}/invites/sweep/results`

        Raises:
            PassNotFoundError, SweepNotFoundError
        """
        return self._caller.call(_RESULTS_CSV, options, path={"passId": pass_id}, query={"format": "csv"})


class AsyncSweeps:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    start = awaited(Sweeps.start)
    get = awaited(Sweeps.get)
    progress = awaited(Sweeps.progress)
    cancel = awaited(Sweeps.cancel)
    results = in_async_pages(Sweeps.results)
    results_csv = awaited(Sweeps.results_csv)
