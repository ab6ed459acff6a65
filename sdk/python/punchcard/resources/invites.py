"""`punchcard.invites`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Literal, Optional

from .. import types
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_CREATE: Operation[types.Invite] = Operation("POST", "/passes/{passId}/invites", "json", "externalRef")
_LIST: Operation[Page[types.Invite]] = Operation("GET", "/passes/{passId}/invites", "page")
_SEND_CARDS: Operation[types.SentCards] = Operation("POST", "/passes/{passId}/invites/cards", "json", "header")


class Invites:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        pass_id: str,
        *,
        email: str,
        name: Maybe[Optional[str]] = NOT_GIVEN,
        identifier: Maybe[Optional[str]] = NOT_GIVEN,
        locale: Maybe[Optional[str]] = NOT_GIVEN,
        external_ref: Maybe[str] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Invite:
        """
        Invite a person to a pass by e-mail.

        The mail has one button, which issues the card when it is pressed. Each address is mailed once a pass: for a
        person who was invited before, the answer is that invitation. `suppressed`: the address has unsubscribed, or
        does not exist; `already_holder`: it has a card of the pass. Make sure that the person has agreed to be written
        to.

        `POST /passes/{passId}/invites`

        Args:
            email: an e-mail address; in lower case, it is the person; kept and compared in Unicode's NFC form
            name: whom the mail greets, and the holder of the card
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            locale: the language of the mail and of the card, BCP 47; else the workspace's
            external_ref: Your reference of this effect: a repeat answers the original result.

        Raises:
            PassNotFoundError, PassNotActiveError
        """
        return self._caller.call(
            _CREATE,
            options,
            path={"passId": pass_id},
            body={
                "email": email,
                "name": name,
                "identifier": identifier,
                "locale": locale,
                "externalRef": external_ref,
            },
        )

    def list(
        self,
        pass_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        status: Optional[Literal[
            "queued",
            "sending",
            "sent",
            "unknown",
            "failed",
            "suppressed",
            "already_holder",
            "cancelled",
        ]] = None,
        email: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Invite]:
        """
        List the invitations of a pass.

        `unknown`: the service handed it to the mail server, which has not said whether it arrived; it is not sent
        again, so that no person is mailed twice.

        `GET /passes/{passId}/invites`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            email: an e-mail address; in lower case, it is the person; kept and compared in Unicode's NFC form

        Raises:
            PassNotFoundError
        """
        return self._caller.pages(
            _LIST,
            options,
            path={"passId": pass_id},
            query={
                "limit": limit,
                "cursor": cursor,
                "createdAfter": created_after,
                "createdBefore": created_before,
                "status": status,
                "email": email,
            },
        )

    def send_cards(
        self,
        pass_id: str,
        *,
        dry_run: Maybe[bool] = NOT_GIVEN,
        cursor: Maybe[str] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.SentCards:
        """
        Mail people their card.

        Looks at up to 1,000 cards of the pass and mails the holders of those that no wallet has ever had, each address
        once a pass: who was mailed before, by an invitation or by this, is not again. The mail has one button, which
        leads to the card. Go on with `nextCursor` until it is null; after a break, begin anew.

        `POST /passes/{passId}/invites/cards`

        Args:
            dry_run: only counts
            cursor: `nextCursor` of the call before

        Raises:
            PassNotFoundError, PassNotActiveError
        """
        return self._caller.call(
            _SEND_CARDS,
            options,
            path={"passId": pass_id},
            body={"dryRun": dry_run, "cursor": cursor},
        )


class AsyncInvites:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    create = awaited(Invites.create)
    list = in_async_pages(Invites.list)
    send_cards = awaited(Invites.send_cards)
