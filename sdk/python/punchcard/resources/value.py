"""`punchcard.value`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Optional

from .. import types
from .._asynchronous import awaited
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options

_LOAD: Operation[types.LoadedValue] = Operation("POST", "/value/load", "json", "externalRef")
_CHARGE: Operation[types.ChargedValue] = Operation("POST", "/value/charge", "json", "externalRef")
_REFUND: Operation[types.RefundedValue] = Operation("POST", "/value/refund", "json", "header")
_TRANSFER: Operation[types.TransferredValue] = Operation("POST", "/value/transfer", "json", "externalRef")


class Value:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def load(
        self,
        *,
        amount: types.Money,
        pass_id: Maybe[str] = NOT_GIVEN,
        identifier: Maybe[str] = NOT_GIVEN,
        instance_id: Maybe[str] = NOT_GIVEN,
        barcode: Maybe[str] = NOT_GIVEN,
        email: Maybe[str] = NOT_GIVEN,
        phone: Maybe[str] = NOT_GIVEN,
        order_id: Maybe[Optional[str]] = NOT_GIVEN,
        reason: Maybe[Optional[str]] = NOT_GIVEN,
        external_ref: Maybe[str] = NOT_GIVEN,
        partner_id: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.LoadedValue:
        """
        Put money on a card.

        Idempotent by external_ref: a repeat answers the original result and applies nothing again. In the currency of
        the program, and never above its `maxBalance`.

        Takes one of `identifier`, `instance_id`, `barcode`, `email`, `phone`.

        `POST /value/load`

        Args:
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            barcode: kept and compared in Unicode's NFC form
            email: an e-mail address
            phone: a telephone number, however it is written; one without its country is of the country of the
                workspace. It is kept and answered in the form of E.164
            order_id: the order that it pays for, or was sold by, as you name it; kept and compared in Unicode's NFC
                form
            reason: why, for readers of the ledger
            external_ref: Your reference of this effect: a repeat answers the original result.

        Raises:
            NoLoyaltyProgramError, ProgramNotLaunchedError, ProgramInactiveError, PassNotFoundError,
            PartnerNotFoundError, HolderNotFoundError, InstanceNotFoundError, AmbiguousBarcodeError,
            AmbiguousHolderError, InstanceVoidedError, InstanceExpiredError
        """
        return self._caller.call(
            _LOAD,
            options,
            body={
                "passId": pass_id,
                "identifier": identifier,
                "instanceId": instance_id,
                "barcode": barcode,
                "email": email,
                "phone": phone,
                "amount": amount,
                "orderId": order_id,
                "reason": reason,
                "externalRef": external_ref,
                "partnerId": partner_id,
            },
        )

    def charge(
        self,
        *,
        amount: types.Money,
        pass_id: Maybe[str] = NOT_GIVEN,
        identifier: Maybe[str] = NOT_GIVEN,
        instance_id: Maybe[str] = NOT_GIVEN,
        barcode: Maybe[str] = NOT_GIVEN,
        email: Maybe[str] = NOT_GIVEN,
        phone: Maybe[str] = NOT_GIVEN,
        order_id: Maybe[Optional[str]] = NOT_GIVEN,
        reason: Maybe[Optional[str]] = NOT_GIVEN,
        external_ref: Maybe[str] = NOT_GIVEN,
        partner_id: Maybe[Optional[str]] = NOT_GIVEN,
        partial: Maybe[bool] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.ChargedValue:
        """
        Pay with the money of a card.

        Idempotent by external_ref: a repeat answers the original result and applies nothing again. A refused charge
        takes nothing. With `partial` a card that holds less pays what it has, and `due` is left to pay.

        Takes one of `identifier`, `instance_id`, `barcode`, `email`, `phone`.

        `POST /value/charge`

        Args:
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            barcode: kept and compared in Unicode's NFC form
            email: an e-mail address
            phone: a telephone number, however it is written; one without its country is of the country of the
                workspace. It is kept and answered in the form of E.164
            order_id: the order that it pays for, or was sold by, as you name it; kept and compared in Unicode's NFC
                form
            reason: why, for readers of the ledger
            external_ref: Your reference of this effect: a repeat answers the original result.
            partial: charge what is there where the card holds less; `due` is the rest

        Raises:
            NoLoyaltyProgramError, ProgramNotLaunchedError, ProgramInactiveError, PassNotFoundError,
            PartnerNotFoundError, HolderNotFoundError, InstanceNotFoundError, AmbiguousBarcodeError,
            AmbiguousHolderError, InstanceVoidedError, InstanceExpiredError, InsufficientValueError
        """
        return self._caller.call(
            _CHARGE,
            options,
            body={
                "passId": pass_id,
                "identifier": identifier,
                "instanceId": instance_id,
                "barcode": barcode,
                "email": email,
                "phone": phone,
                "amount": amount,
                "orderId": order_id,
                "reason": reason,
                "externalRef": external_ref,
                "partnerId": partner_id,
                "partial": partial,
            },
        )

    def refund(
        self,
        *,
        refund_id: str,
        entry_id: Maybe[str] = NOT_GIVEN,
        order_id: Maybe[str] = NOT_GIVEN,
        amount: Maybe[types.Money] = NOT_GIVEN,
        reason: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.RefundedValue:
        """
        Give money back to the card that has paid.

        Idempotent by refund_id. What is left of a charge, or a part of it: never more than was charged. Money that has
        expired since is good again for as long as money that is loaded now. Works while the program is paused.

        Takes one of `entry_id`, `order_id`.

        `POST /value/refund`

        Args:
            entry_id: of the charge
            order_id: the order that one charge of the workspace has paid for; kept and compared in Unicode's NFC form
            refund_id: yours, of this refund: a repeat answers the original result; kept and compared in Unicode's NFC
                form
            reason: why, for readers of the ledger

        Raises:
            EntryNotFoundError, EntryNotReversibleError, AlreadyReversedError, InstanceVoidedError
        """
        return self._caller.call(
            _REFUND,
            options,
            body={"entryId": entry_id, "orderId": order_id, "amount": amount, "refundId": refund_id, "reason": reason},
        )

    def transfer(
        self,
        *,
        from_: types.ValueTransferTo,
        to: types.ValueTransferTo,
        pass_id: Maybe[str] = NOT_GIVEN,
        amount: Maybe[types.Money] = NOT_GIVEN,
        reason: Maybe[Optional[str]] = NOT_GIVEN,
        external_ref: Maybe[str] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.TransferredValue:
        """
        Move money from one card to another.

        Both are cards of one pass; without an `amount` all that is there goes. It expires as it would have before. The
        card that it comes from may be voided, since it was lost.

        `POST /value/transfer`

        Args:
            reason: why, for readers of the ledger
            external_ref: Your reference of this effect: a repeat answers the original result.

        Raises:
            NoLoyaltyProgramError, ProgramNotLaunchedError, ProgramInactiveError, PassNotFoundError,
            HolderNotFoundError, InstanceNotFoundError, AmbiguousBarcodeError, AmbiguousHolderError,
            InstanceVoidedError, InstanceExpiredError, InsufficientValueError
        """
        return self._caller.call(
            _TRANSFER,
            options,
            body={
                "passId": pass_id,
                "from": from_,
                "to": to,
                "amount": amount,
                "reason": reason,
                "externalRef": external_ref,
            },
        )


class AsyncValue:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    load = awaited(Value.load)
    charge = awaited(Value.charge)
    refund = awaited(Value.refund)
    transfer = awaited(Value.transfer)
