"""`punchcard.loyalty`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Literal, Optional

from .. import types
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_EARN: Operation[types.Posting] = Operation("POST", "/loyalty/points", "json", "externalRef")
_EARN_BATCH: Operation[types.AwardResults] = Operation("POST", "/loyalty/points/batch", "json", "header")
_PREVIEW: Operation[types.PreviewedPosting] = Operation("POST", "/loyalty/points/preview", "json")
_REDEEM: Operation[types.RedemptionPosting] = Operation("POST", "/loyalty/redeem", "json", "externalRef")
_ADJUST: Operation[types.Posting] = Operation("POST", "/loyalty/adjust", "json", "externalRef")
_REWARDS: Operation[Page[types.RedeemableReward]] = Operation("GET", "/loyalty/rewards", "page")
_ADJUST_BATCH: Operation[types.AdjustmentResults] = Operation("POST", "/loyalty/adjust/batch", "json", "header")
_ENTRIES: Operation[Page[types.Entry]] = Operation("GET", "/loyalty/entries", "page")
_ENTRY: Operation[types.Entry] = Operation("GET", "/loyalty/entries/{entryId}", "json")
_REVERSE: Operation[types.ReversalPosting] = Operation(
    "POST",
    "/loyalty/entries/{entryId}/reverse",
    "json",
    "externalRef",
)
_HOLDER: Operation[types.LoyaltyHolder] = Operation("GET", "/loyalty/holders/{identifier}", "json")


class Loyalty:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def earn(
        self,
        *,
        points: int,
        pass_id: Maybe[str] = NOT_GIVEN,
        identifier: Maybe[str] = NOT_GIVEN,
        instance_id: Maybe[str] = NOT_GIVEN,
        barcode: Maybe[str] = NOT_GIVEN,
        email: Maybe[str] = NOT_GIVEN,
        phone: Maybe[str] = NOT_GIVEN,
        external_ref: Maybe[str] = NOT_GIVEN,
        partner_id: Maybe[Optional[str]] = NOT_GIVEN,
        reason: Maybe[Optional[str]] = NOT_GIVEN,
        occurred_at: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Posting:
        """
        Award points or stamps.

        Idempotent by external_ref: a repeat answers the original result and applies nothing again. An award that a
        limit of the program forbids is kept as an entry of 0 points, with limitedBy. What happened before the card
        expired, by its occurred_at, counts.

        Takes one of `identifier`, `instance_id`, `barcode`, `email`, `phone`.

        `POST /loyalty/points`

        Args:
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            barcode: kept and compared in Unicode's NFC form
            email: an e-mail address
            phone: a telephone number, however it is written; one without its country is of the country of the
                workspace. It is kept and answered in the form of E.164
            external_ref: Your reference of this effect: a repeat answers the original result.
            reason: why, for readers of the ledger
            occurred_at: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            NoLoyaltyProgramError, ProgramNotLaunchedError, ProgramInactiveError, PassNotFoundError,
            PartnerNotFoundError, HolderNotFoundError, InstanceNotFoundError, AmbiguousBarcodeError,
            AmbiguousHolderError, InstanceVoidedError, InstanceExpiredError
        """
        return self._caller.call(
            _EARN,
            options,
            body={
                "passId": pass_id,
                "identifier": identifier,
                "instanceId": instance_id,
                "barcode": barcode,
                "email": email,
                "phone": phone,
                "externalRef": external_ref,
                "partnerId": partner_id,
                "points": points,
                "reason": reason,
                "occurredAt": occurred_at,
            },
        )

    def earn_batch(self, *, awards: List[types.Award], options: Optional[Options] = None) -> types.AwardResults:
        """
        Award points or stamps up to 1,000 times.

        Each item stands alone: it is applied, repeated or refused whatever becomes of the others. One without an
        externalRef is repeated under the Idempotency-Key and its place.

        `POST /loyalty/points/batch`

        Args:
            awards: each as the body of POST /loyalty/points
        """
        return self._caller.call(_EARN_BATCH, options, body={"awards": awards})

    def preview(
        self,
        *,
        pass_id: Maybe[str] = NOT_GIVEN,
        identifier: Maybe[str] = NOT_GIVEN,
        instance_id: Maybe[str] = NOT_GIVEN,
        barcode: Maybe[str] = NOT_GIVEN,
        email: Maybe[str] = NOT_GIVEN,
        phone: Maybe[str] = NOT_GIVEN,
        points: Maybe[int] = NOT_GIVEN,
        total: Maybe[types.Money] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.PreviewedPosting:
        """
        What an award or an order would earn.

        Writes nothing. Names a card to see where its account would stand, or none. Of an expired card an award is
        refused, and an order earns nothing.

        Takes one of `points`, `total`.

        `POST /loyalty/points/preview`

        Args:
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            barcode: kept and compared in Unicode's NFC form
            email: an e-mail address
            phone: a telephone number, however it is written; one without its country is of the country of the
                workspace. It is kept and answered in the form of E.164

        Raises:
            NoLoyaltyProgramError, ProgramNotLaunchedError, ProgramInactiveError, PassNotFoundError,
            HolderNotFoundError, InstanceNotFoundError, AmbiguousBarcodeError, AmbiguousHolderError,
            InstanceVoidedError, InstanceExpiredError
        """
        return self._caller.call(
            _PREVIEW,
            options,
            body={
                "passId": pass_id,
                "identifier": identifier,
                "instanceId": instance_id,
                "barcode": barcode,
                "email": email,
                "phone": phone,
                "points": points,
                "total": total,
            },
        )

    def redeem(
        self,
        *,
        pass_id: Maybe[str] = NOT_GIVEN,
        identifier: Maybe[str] = NOT_GIVEN,
        instance_id: Maybe[str] = NOT_GIVEN,
        barcode: Maybe[str] = NOT_GIVEN,
        email: Maybe[str] = NOT_GIVEN,
        phone: Maybe[str] = NOT_GIVEN,
        external_ref: Maybe[str] = NOT_GIVEN,
        partner_id: Maybe[Optional[str]] = NOT_GIVEN,
        reward_id: Maybe[str] = NOT_GIVEN,
        reason: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.RedemptionPosting:
        """
        Redeem a reward.

        Idempotent by external_ref: a repeat answers the original result and applies nothing again. A refused redeem
        deducts nothing.

        Takes one of `identifier`, `instance_id`, `barcode`, `email`, `phone`.

        `POST /loyalty/redeem`

        Args:
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            barcode: kept and compared in Unicode's NFC form
            email: an e-mail address
            phone: a telephone number, however it is written; one without its country is of the country of the
                workspace. It is kept and answered in the form of E.164
            external_ref: Your reference of this effect: a repeat answers the original result.
            reward_id: which reward; absent: the first of the program, or the one that was unlocked first
            reason: why, for readers of the ledger

        Raises:
            NoLoyaltyProgramError, ProgramNotLaunchedError, ProgramInactiveError, PassNotFoundError,
            PartnerNotFoundError, HolderNotFoundError, InstanceNotFoundError, AmbiguousBarcodeError,
            AmbiguousHolderError, InstanceVoidedError, InstanceExpiredError, InsufficientPointsError,
            NoRewardPendingError
        """
        return self._caller.call(
            _REDEEM,
            options,
            body={
                "passId": pass_id,
                "identifier": identifier,
                "instanceId": instance_id,
                "barcode": barcode,
                "email": email,
                "phone": phone,
                "externalRef": external_ref,
                "partnerId": partner_id,
                "rewardId": reward_id,
                "reason": reason,
            },
        )

    def adjust(
        self,
        *,
        points: int,
        reason: str,
        pass_id: Maybe[str] = NOT_GIVEN,
        identifier: Maybe[str] = NOT_GIVEN,
        instance_id: Maybe[str] = NOT_GIVEN,
        barcode: Maybe[str] = NOT_GIVEN,
        email: Maybe[str] = NOT_GIVEN,
        phone: Maybe[str] = NOT_GIVEN,
        external_ref: Maybe[str] = NOT_GIVEN,
        partner_id: Maybe[Optional[str]] = NOT_GIVEN,
        counts_as_earned: Maybe[bool] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Posting:
        """
        Correct a balance by hand.

        Idempotent by external_ref: a repeat answers the original result and applies nothing again. Works in every state
        of the program, and ignores its limits; never below zero.

        Takes one of `identifier`, `instance_id`, `barcode`, `email`, `phone`.

        `POST /loyalty/adjust`

        Args:
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            barcode: kept and compared in Unicode's NFC form
            email: an e-mail address
            phone: a telephone number, however it is written; one without its country is of the country of the
                workspace. It is kept and answered in the form of E.164
            external_ref: Your reference of this effect: a repeat answers the original result.
            points: what is added to the balance; below zero: taken from it
            reason: why, for readers of the ledger
            counts_as_earned: whether lifetimePoints change with the balance; default false

        Raises:
            NoLoyaltyProgramError, PassNotFoundError, PartnerNotFoundError, HolderNotFoundError, InstanceNotFoundError,
            AmbiguousBarcodeError, AmbiguousHolderError, InstanceVoidedError, BalanceTooLowError
        """
        return self._caller.call(
            _ADJUST,
            options,
            body={
                "passId": pass_id,
                "identifier": identifier,
                "instanceId": instance_id,
                "barcode": barcode,
                "email": email,
                "phone": phone,
                "externalRef": external_ref,
                "partnerId": partner_id,
                "points": points,
                "reason": reason,
                "countsAsEarned": counts_as_earned,
            },
        )

    def rewards(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        pass_id: Optional[str] = None,
        identifier: Optional[str] = None,
        instance_id: Optional[str] = None,
        barcode: Optional[str] = None,
        email: Optional[str] = None,
        phone: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.RedeemableReward]:
        """
        The rewards that a card can redeem now.

        In POINTS those of the program that the balance covers, in its order; in STAMPS those that are pending, the
        oldest first, each with an id of its own. A redeem takes the first unless it names another. Refused as the
        redeem would be.

        `GET /loyalty/rewards`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            barcode: kept and compared in Unicode's NFC form
            email: an e-mail address
            phone: a telephone number, however it is written; one without its country is of the country of the
                workspace. It is kept and answered in the form of E.164

        Raises:
            NoLoyaltyProgramError, ProgramNotLaunchedError, ProgramInactiveError, PassNotFoundError,
            HolderNotFoundError, InstanceNotFoundError, AmbiguousBarcodeError, AmbiguousHolderError,
            InstanceVoidedError, InstanceExpiredError
        """
        return self._caller.pages(
            _REWARDS,
            options,
            query={
                "limit": limit,
                "cursor": cursor,
                "passId": pass_id,
                "identifier": identifier,
                "instanceId": instance_id,
                "barcode": barcode,
                "email": email,
                "phone": phone,
            },
        )

    def adjust_batch(
        self,
        *,
        adjustments: List[types.Adjustment],
        options: Optional[Options] = None,
    ) -> types.AdjustmentResults:
        """
        Correct up to 1,000 balances by hand.

        Each item stands alone: it is applied, repeated or refused whatever becomes of the others. One without an
        externalRef is repeated under the Idempotency-Key and its place.

        `POST /loyalty/adjust/batch`

        Args:
            adjustments: each as the body of POST /loyalty/adjust
        """
        return self._caller.call(_ADJUST_BATCH, options, body={"adjustments": adjustments})

    def entries(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        identifier: Optional[str] = None,
        instance_id: Optional[str] = None,
        pass_id: Optional[str] = None,
        program_id: Optional[str] = None,
        kind: Optional[Literal["earn", "redeem", "unlock", "cancel", "expire", "adjust", "import", "reversal"]] = None,
        external_ref: Optional[str] = None,
        order_id: Optional[str] = None,
        partner_id: Optional[str] = None,
        person_id: Optional[str] = None,
        device_id: Optional[str] = None,
        include: Optional[Literal["holder"]] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Entry]:
        """
        The ledger, newest first.

        Of one card (instance_id, or identifier and pass_id), or of all cards of a pass (pass_id, or program_id), which
        staff do not see. person_id and device_id are of those that people have made, at a shared till; one that is not
        of the workspace has made none. `include=holder` adds what to call the holder of each card.

        `GET /loyalty/entries`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            external_ref: Your reference of this effect: a repeat answers the original result.
            order_id: your number of the order; in a store, its own; kept and compared in Unicode's NFC form
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            NoLoyaltyProgramError, PassNotFoundError, ProgramNotFoundError, InstanceNotFoundError, HolderNotFoundError,
            PartnerNotFoundError
        """
        return self._caller.pages(
            _ENTRIES,
            options,
            query={
                "limit": limit,
                "cursor": cursor,
                "identifier": identifier,
                "instanceId": instance_id,
                "passId": pass_id,
                "programId": program_id,
                "kind": kind,
                "externalRef": external_ref,
                "orderId": order_id,
                "partnerId": partner_id,
                "personId": person_id,
                "deviceId": device_id,
                "include": include,
                "createdAfter": created_after,
                "createdBefore": created_before,
            },
        )

    def entry(self, entry_id: str, *, options: Optional[Options] = None) -> types.Entry:
        """
        An entry of the ledger.

        As the list of entries shows it. What it says never changes, but that its reason goes when its card is erased.

        `GET /loyalty/entries/{entryId}`

        Raises:
            EntryNotFoundError
        """
        return self._caller.call(_ENTRY, options, path={"entryId": entry_id})

    def reverse(
        self,
        entry_id: str,
        *,
        reason: Maybe[Optional[str]] = NOT_GIVEN,
        external_ref: Maybe[str] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.ReversalPosting:
        """
        Undo an earn or a redeem, once.

        Points return to where they came from. What an earn gave and the holder has spent becomes a debt, or stays with
        the holder, as the refundPolicy of the program says. Works while the program is paused.

        `POST /loyalty/entries/{entryId}/reverse`

        Args:
            reason: why, for readers of the ledger
            external_ref: Your reference of this effect: a repeat answers the original result.

        Raises:
            EntryNotFoundError, EntryNotReversibleError, AlreadyReversedError, InsufficientValueError
        """
        return self._caller.call(
            _REVERSE,
            options,
            path={"entryId": entry_id},
            body={"reason": reason, "externalRef": external_ref},
        )

    def holder(self, identifier: str, *, pass_id: str, options: Optional[Options] = None) -> types.LoyaltyHolder:
        """
        What a holder has.

        Balance, pending rewards, and what expires next.

        `GET /loyalty/holders/{identifier}`

        Args:
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form

        Raises:
            NoLoyaltyProgramError, PassNotFoundError, HolderNotFoundError
        """
        return self._caller.call(_HOLDER, options, path={"identifier": identifier}, query={"passId": pass_id})


class AsyncLoyalty:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    earn = awaited(Loyalty.earn)
    earn_batch = awaited(Loyalty.earn_batch)
    preview = awaited(Loyalty.preview)
    redeem = awaited(Loyalty.redeem)
    adjust = awaited(Loyalty.adjust)
    rewards = in_async_pages(Loyalty.rewards)
    adjust_batch = awaited(Loyalty.adjust_batch)
    entries = in_async_pages(Loyalty.entries)
    entry = awaited(Loyalty.entry)
    reverse = awaited(Loyalty.reverse)
    holder = awaited(Loyalty.holder)
