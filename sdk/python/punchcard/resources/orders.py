"""`punchcard.orders`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Literal, Optional

from .. import types
from .._answers import Answer
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_PROCESS: Operation[types.ProcessedOrder] = Operation("POST", "/orders/process", "json", "header")
_LIST: Operation[Page[types.ListedOrder]] = Operation("GET", "/orders", "page")
_GET: Operation[types.Order] = Operation("GET", "/orders/{orderId}", "json")
_REFUND: Operation[types.RefundedOrder] = Operation("POST", "/orders/{orderId}/refunds", "json", "header")
_CANCEL: Operation[types.CancelledOrder] = Operation("POST", "/orders/{orderId}/cancel", "json", "header")
_WITHDRAW_CANCELLATION: Operation[Answer] = Operation("DELETE", "/orders/{orderId}/cancel", "nothing", "header")


class Orders:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def process(
        self,
        *,
        pass_id: str,
        order_id: str,
        customer: types.NewOrderCustomer,
        total: types.Money,
        number: Maybe[Optional[str]] = NOT_GIVEN,
        store_id: Maybe[Optional[str]] = NOT_GIVEN,
        items: Maybe[Optional[List[types.OrderItem]]] = NOT_GIVEN,
        partner_id: Maybe[Optional[str]] = NOT_GIVEN,
        occurred_at: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.ProcessedOrder:
        """
        Process Order: find the holder or issue a card, and award by the earn rule.

        Idempotent by order_id and store: a repeat answers the first result and awards nothing again, whatever its
        amounts. Finds the holder by customer.id, then by e-mail address, or by the telephone number where that is all
        that is sent; else issues a card. All of it happens, or nothing.

        `POST /orders/process`

        Args:
            order_id: your number of the order; in a store, its own; kept and compared in Unicode's NFC form
            number: what customers know it by, such as #1003, where that is not its order_id; kept and compared in
                Unicode's NFC form
            store_id: the store that the order was placed in; absent: you keep the orders yourself
            customer: at least an id, an e-mail address, or a telephone number with its country
            occurred_at: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            PassNotFoundError, NoLoyaltyProgramError, ProgramNotLaunchedError, ProgramInactiveError, StoreNotFoundError,
            PartnerNotFoundError, PoolExhaustedError
        """
        return self._caller.call(
            _PROCESS,
            options,
            body={
                "passId": pass_id,
                "orderId": order_id,
                "number": number,
                "storeId": store_id,
                "customer": customer,
                "total": total,
                "items": items,
                "partnerId": partner_id,
                "occurredAt": occurred_at,
            },
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        pass_id: Optional[str] = None,
        store_id: Optional[str] = None,
        instance_id: Optional[str] = None,
        number: Optional[str] = None,
        status: Optional[Literal["pending", "processed", "cancelled"]] = None,
        waiting: Optional[bool] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.ListedOrder]:
        """
        List orders.

        Those that became known last come first; each without its items and single refunds. `waiting`: orders without a
        card, of which a refund or a cancellation came early, or that are not paid. Keys that are restricted to passes
        see the orders of these.

        `GET /orders`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            number: the number that customers know it by, in any case, with its # or without; an order without one is
                found by its orderId alone
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            PassNotFoundError, InstanceNotFoundError, StoreNotFoundError
        """
        return self._caller.pages(
            _LIST,
            options,
            query={
                "limit": limit,
                "cursor": cursor,
                "passId": pass_id,
                "storeId": store_id,
                "instanceId": instance_id,
                "number": number,
                "status": status,
                "waiting": waiting,
                "createdAfter": created_after,
                "createdBefore": created_before,
            },
        )

    def get(self, order_id: str, *, store_id: Optional[str] = None, options: Optional[Options] = None) -> types.Order:
        """
        An order, and what it has earned.

        With its refunds, and what it earns after them.

        `GET /orders/{orderId}`

        Args:
            order_id: your number of the order; in a store, its own; kept and compared in Unicode's NFC form

        Raises:
            OrderNotFoundError, StoreNotFoundError
        """
        return self._caller.call(_GET, options, path={"orderId": order_id}, query={"storeId": store_id})

    def refund(
        self,
        order_id: str,
        *,
        refund_id: str,
        amount: types.Money,
        store_id: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.RefundedOrder:
        """
        Refund an order, in full or in part.

        Takes back what the order has earned for the money, by the rule that it was processed with. Idempotent by
        refund_id; refunds add up in any order. A refund of an order that is not known yet waits for it. One beyond what
        is left of a known order is refused, with `refundable`; what a store itself reports is believed.

        `POST /orders/{orderId}/refunds`

        Args:
            order_id: your number of the order; in a store, its own; kept and compared in Unicode's NFC form
            refund_id: your number of the refund; kept and compared in Unicode's NFC form
            store_id: the store that the order was placed in; absent: you keep the orders yourself

        Raises:
            OrderNotFoundError, StoreNotFoundError, RefundExceedsOrderError
        """
        return self._caller.call(
            _REFUND,
            options,
            path={"orderId": order_id},
            body={"refundId": refund_id, "amount": amount, "storeId": store_id},
        )

    def cancel(
        self,
        order_id: str,
        *,
        store_id: Maybe[Optional[str]] = NOT_GIVEN,
        early: Maybe[bool] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.CancelledOrder:
        """
        Cancel an order: it earns nothing.

        Takes back what the order has earned; again is the same. With `early`, a cancellation of an order that is not
        known yet waits for it: `GET /orders?waiting=true` shows it, and `DELETE /orders/{order_id}/cancel` takes it
        back.

        `POST /orders/{orderId}/cancel`

        Args:
            order_id: your number of the order; in a store, its own; kept and compared in Unicode's NFC form
            store_id: the store that the order was placed in; absent: you keep the orders yourself
            early: the order may be still to come: the cancellation then waits for it

        Raises:
            OrderNotFoundError, StoreNotFoundError
        """
        return self._caller.call(
            _CANCEL,
            options,
            path={"orderId": order_id},
            body={"storeId": store_id, "early": early},
        )

    def withdraw_cancellation(
        self,
        order_id: str,
        *,
        store_id: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Answer:
        """
        Take back the cancellation of an order that has not come.

        Refunds that wait for the order stay. Once the order has come, its cancellation stands.

        `DELETE /orders/{orderId}/cancel`

        Args:
            order_id: your number of the order; in a store, its own; kept and compared in Unicode's NFC form

        Raises:
            OrderNotFoundError, StoreNotFoundError, CancelNotReversibleError
        """
        return self._caller.call(
            _WITHDRAW_CANCELLATION,
            options,
            path={"orderId": order_id},
            query={"storeId": store_id},
        )


class AsyncOrders:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    process = awaited(Orders.process)
    list = in_async_pages(Orders.list)
    get = awaited(Orders.get)
    refund = awaited(Orders.refund)
    cancel = awaited(Orders.cancel)
    withdraw_cancellation = awaited(Orders.withdraw_cancellation)
