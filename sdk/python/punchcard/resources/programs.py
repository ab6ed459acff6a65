"""`punchcard.programs`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Any, List, Literal, Optional, Union

from .. import types
from .._answers import File
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import FileBody, Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_CREATE: Operation[types.ProgramWithHistory] = Operation("POST", "/loyalty/programs", "json", "header")
_LIST: Operation[Page[types.Program]] = Operation("GET", "/loyalty/programs", "page")
_GET: Operation[types.ProgramWithHistory] = Operation("GET", "/loyalty/programs/{programId}", "json")
_UPDATE: Operation[types.ProgramWithHistory] = Operation("PATCH", "/loyalty/programs/{programId}", "json", "header")
_PREVIEW: Operation[types.ProgramPreview] = Operation("POST", "/loyalty/programs/{programId}/preview", "json")
_SUMMARY: Operation[types.ProgramSummary] = Operation("GET", "/loyalty/programs/{programId}/summary", "json")
_EXPORT_BALANCES: Operation[File] = Operation("GET", "/loyalty/programs/{programId}/balances.csv", "file")
_IMPORT_BALANCES: Operation[types.BalancesReport] = Operation(
    "POST",
    "/loyalty/programs/{programId}/balances",
    "json",
    "header",
)


class Programs:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        pass_id: str,
        mode: Union[Literal["POINTS"], Literal["STAMPS"], Literal["MONEY"]],
        currency: Maybe[Union[Any, types.Currency]] = NOT_GIVEN,
        reward: Maybe[Union[types.NewPointsProgramReward, types.NewStampsProgramReward]] = NOT_GIVEN,
        max_balance: Maybe[Union[Any, Optional[types.Money]]] = NOT_GIVEN,
        rewards: Maybe[List[types.ProgramChangesReward]] = NOT_GIVEN,
        tiers: Maybe[List[types.ProgramChangesTier]] = NOT_GIVEN,
        threshold: Maybe[Union[Any, int]] = NOT_GIVEN,
        earn: Maybe[types.ProgramChangesEarn] = NOT_GIVEN,
        expiry: Maybe[types.ProgramChangesExpiry] = NOT_GIVEN,
        limits: Maybe[types.ProgramChangesLimits] = NOT_GIVEN,
        refund_policy: Maybe[Literal["debt", "within_balance"]] = NOT_GIVEN,
        draws_stamps: Maybe[bool] = NOT_GIVEN,
        point_name: Maybe[types.ProgramPointName] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.ProgramWithHistory:
        """
        Create the loyalty program of a pass.

        `POINTS` collects points and spends `reward.cost` of them on a reward; `STAMPS` unlocks a reward whenever
        `threshold` stamps are full. A pass has one program at most. It begins as `not_launched`: PATCH it with
        `{"status":"active"}` to launch it, and its cards show it.

        `POST /loyalty/programs`

        Args:
            rewards: all rewards of a program in POINTS, at least one, in the place of those before; the first is
                `reward`
            tiers: all tiers, in the place of those before; an empty list takes them away
            draws_stamps: whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero
                images of the pass
            point_name: what one point is called, and several

        Raises:
            PassNotFoundError, PassAlreadyDynamicError
        """
        return self._caller.call(
            _CREATE,
            options,
            body={
                "passId": pass_id,
                "mode": mode,
                "currency": currency,
                "reward": reward,
                "maxBalance": max_balance,
                "rewards": rewards,
                "tiers": tiers,
                "threshold": threshold,
                "earn": earn,
                "expiry": expiry,
                "limits": limits,
                "refundPolicy": refund_policy,
                "drawsStamps": draws_stamps,
                "pointName": point_name,
            },
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        status: Optional[Literal["not_launched", "active", "paused"]] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Program]:
        """
        List loyalty programs.

        Newest first; of a key that is restricted to some passes, those of these passes.

        `GET /loyalty/programs`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
        """
        return self._caller.pages(
            _LIST,
            options,
            query={
                "limit": limit,
                "cursor": cursor,
                "createdAfter": created_after,
                "createdBefore": created_before,
                "status": status,
            },
        )

    def get(self, program_id: str, *, options: Optional[Options] = None) -> types.ProgramWithHistory:
        """
        A loyalty program.

        Its rules, its state, and the states that it came into.

        `GET /loyalty/programs/{programId}`

        Raises:
            ProgramNotFoundError
        """
        return self._caller.call(_GET, options, path={"programId": program_id})

    def update(
        self,
        program_id: str,
        *,
        max_balance: Maybe[Optional[types.Money]] = NOT_GIVEN,
        rewards: Maybe[List[types.ProgramChangesReward]] = NOT_GIVEN,
        tiers: Maybe[List[types.ProgramChangesTier]] = NOT_GIVEN,
        threshold: Maybe[Optional[int]] = NOT_GIVEN,
        earn: Maybe[types.ProgramChangesEarn] = NOT_GIVEN,
        expiry: Maybe[types.ProgramChangesExpiry] = NOT_GIVEN,
        limits: Maybe[types.ProgramChangesLimits] = NOT_GIVEN,
        refund_policy: Maybe[Literal["debt", "within_balance"]] = NOT_GIVEN,
        draws_stamps: Maybe[bool] = NOT_GIVEN,
        reward: Maybe[types.ProgramChangesRewardItem] = NOT_GIVEN,
        point_name: Maybe[types.ProgramChangesPointName] = NOT_GIVEN,
        status: Maybe[Literal["active", "paused"]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.ProgramWithHistory:
        """
        Change a loyalty program, or launch, pause or resume it.

        Absent leaves alone. `{"status":"active"}` launches a program whose pass is published, or resumes it;
        `{"status":"paused"}` pauses it: until it is resumed, nothing is earned or redeemed. From the launch on, what
        cards show of it changes for all holders at once, and installed cards are pushed to in the background. Points
        and rewards that holders have stay as they are; what fills cards by a lower `threshold` becomes their rewards in
        the background.

        `PATCH /loyalty/programs/{programId}`

        Args:
            max_balance: what a card may hold in MONEY, in the currency of the program; null: any amount
            rewards: all rewards of a program in POINTS, at least one, in the place of those before; the first is
                `reward`
            tiers: all tiers, in the place of those before; an empty list takes them away
            threshold: stamps that unlock a reward, in STAMPS
            draws_stamps: whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero
                images of the pass

        Raises:
            ProgramNotFoundError, ProgramStateConflictError
        """
        return self._caller.call(
            _UPDATE,
            options,
            path={"programId": program_id},
            body={
                "maxBalance": max_balance,
                "rewards": rewards,
                "tiers": tiers,
                "threshold": threshold,
                "earn": earn,
                "expiry": expiry,
                "limits": limits,
                "refundPolicy": refund_policy,
                "drawsStamps": draws_stamps,
                "reward": reward,
                "pointName": point_name,
                "status": status,
            },
        )

    def preview(
        self,
        program_id: str,
        *,
        max_balance: Maybe[Optional[types.Money]] = NOT_GIVEN,
        rewards: Maybe[List[types.ProgramChangesReward]] = NOT_GIVEN,
        tiers: Maybe[List[types.ProgramChangesTier]] = NOT_GIVEN,
        threshold: Maybe[Optional[int]] = NOT_GIVEN,
        earn: Maybe[types.ProgramChangesEarn] = NOT_GIVEN,
        expiry: Maybe[types.ProgramChangesExpiry] = NOT_GIVEN,
        limits: Maybe[types.ProgramChangesLimits] = NOT_GIVEN,
        refund_policy: Maybe[Literal["debt", "within_balance"]] = NOT_GIVEN,
        draws_stamps: Maybe[bool] = NOT_GIVEN,
        reward: Maybe[types.ProgramChangesRewardItem] = NOT_GIVEN,
        point_name: Maybe[types.ProgramChangesPointName] = NOT_GIVEN,
        status: Maybe[Literal["active", "paused"]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.ProgramPreview:
        """
        What a change of a loyalty program would do.

        Writes nothing. The body is that of the change. Says how many cards would show something else, what the pushes
        would cost, and how many cards would have a reward that they do not have now.

        `POST /loyalty/programs/{programId}/preview`

        Args:
            max_balance: what a card may hold in MONEY, in the currency of the program; null: any amount
            rewards: all rewards of a program in POINTS, at least one, in the place of those before; the first is
                `reward`
            tiers: all tiers, in the place of those before; an empty list takes them away
            threshold: stamps that unlock a reward, in STAMPS
            draws_stamps: whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero
                images of the pass

        Raises:
            ProgramNotFoundError
        """
        return self._caller.call(
            _PREVIEW,
            options,
            path={"programId": program_id},
            body={
                "maxBalance": max_balance,
                "rewards": rewards,
                "tiers": tiers,
                "threshold": threshold,
                "earn": earn,
                "expiry": expiry,
                "limits": limits,
                "refundPolicy": refund_policy,
                "drawsStamps": draws_stamps,
                "reward": reward,
                "pointName": point_name,
                "status": status,
            },
        )

    def summary(self, program_id: str, *, options: Optional[Options] = None) -> types.ProgramSummary:
        """
        What a loyalty program has given out and taken back.

        The totals of the ledger next to the sum of all balances, which must agree.

        `GET /loyalty/programs/{programId}/summary`

        Raises:
            ProgramNotFoundError
        """
        return self._caller.call(_SUMMARY, options, path={"programId": program_id})

    def export_balances(self, program_id: str, *, options: Optional[Options] = None) -> File:
        """
        The balances of a program as CSV.

        A line per card that has ever had a point, voided ones included. Text that a spreadsheet would take for a
        formula begins with an apostrophe, which the import takes away again.

        `GET /loyalty/programs/{programId}/balances.csv`

        Raises:
            RecentSignInRequiredError, ProgramNotFoundError
        """
        return self._caller.call(_EXPORT_BALANCES, options, path={"programId": program_id})

    def import_balances(
        self,
        program_id: str,
        *,
        csv: Union[str, bytes],
        dry_run: Optional[bool] = None,
        options: Optional[Options] = None,
    ) -> types.BalancesReport:
        """
        Set balances to the figures of a CSV file.

        Up to 20,000 lines; each stands alone. A line names its card by the first of `instanceId`, `identifier` and
        `barcode` that is not empty: leave `instanceId` out of a file for other cards than those it was exported from.
        The difference is entered as `import`, in every state of the program; a figure that reaches the threshold
        unlocks rewards. With an Idempotency-Key a repeat answers what was applied before and wipes nothing that was
        earned since; without one every call sets the figures anew. `dry_run=true` answers the same report and writes
        nothing, whatever its key.

        `POST /loyalty/programs/{programId}/balances`

        Args:
            csv: a CSV file

        Raises:
            ProgramNotFoundError
        """
        return self._caller.call(
            _IMPORT_BALANCES,
            options,
            path={"programId": program_id},
            query={"dryRun": dry_run},
            body=FileBody(csv, "text/csv"),
        )


class AsyncPrograms:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    create = awaited(Programs.create)
    list = in_async_pages(Programs.list)
    get = awaited(Programs.get)
    update = awaited(Programs.update)
    preview = awaited(Programs.preview)
    summary = awaited(Programs.summary)
    export_balances = awaited(Programs.export_balances)
    import_balances = awaited(Programs.import_balances)
