"""`punchcard.people`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Literal, Optional

from .. import types
from .._answers import Answer
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_INVITE: Operation[types.InvitedPerson] = Operation("POST", "/people", "json", "header")
_LIST: Operation[Page[types.Person]] = Operation("GET", "/people", "page")
_GET: Operation[types.Person] = Operation("GET", "/people/{personId}", "json")
_UPDATE: Operation[types.Person] = Operation("PATCH", "/people/{personId}", "json", "header")
_REMOVE: Operation[Answer] = Operation("DELETE", "/people/{personId}", "nothing", "header")
_CREATE_LINK: Operation[types.PersonLink] = Operation("POST", "/people/{personId}/links", "json", "header")


class People:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def invite(
        self,
        *,
        email: str,
        name: str,
        role: Literal["owner", "manager", "staff", "viewer"],
        partner_id: Maybe[Optional[str]] = NOT_GIVEN,
        pin: Maybe[str] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.InvitedPerson:
        """
        Invite a person to the workspace.

        Owners do everything; managers all but people and keys; staff look up, award and redeem, and undo what they
        entered, at their partner where one is set; viewers read. The invitation is mailed, in the language that
        `Accept-Language` asks for or else that of the workspace; without a mail server `link` is for you to pass on.
        With a `pin` they sign in at shared tills from then on.

        `POST /people`

        Args:
            email: E-mail address
            partner_id: of staff: the only partner that their awards and redeems are for; null for any
            pin: four to eight digits, for shared tills; not for viewers

        Raises:
            RecentSignInRequiredError, PartnerNotFoundError, PersonExistsError
        """
        return self._caller.call(
            _INVITE,
            options,
            body={"email": email, "name": name, "role": role, "partnerId": partner_id, "pin": pin},
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Person]:
        """
        List the people of the workspace.

        Newest first.

        `GET /people`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
        """
        return self._caller.pages(
            _LIST,
            options,
            query={"limit": limit, "cursor": cursor, "createdAfter": created_after, "createdBefore": created_before},
        )

    def get(self, person_id: str, *, options: Optional[Options] = None) -> types.Person:
        """
        A person of the workspace.

        By the id that audit log, ledger and events name.

        `GET /people/{personId}`

        Raises:
            PersonNotFoundError
        """
        return self._caller.call(_GET, options, path={"personId": person_id})

    def update(
        self,
        person_id: str,
        *,
        email: Maybe[str] = NOT_GIVEN,
        name: Maybe[str] = NOT_GIVEN,
        role: Maybe[Literal["owner", "manager", "staff", "viewer"]] = NOT_GIVEN,
        partner_id: Maybe[Optional[str]] = NOT_GIVEN,
        pin: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Person:
        """
        Change a person's name, role or partner.

        It counts within a second. The last owner stays one. A `pin` signs in at shared tills; null takes it away. A
        person without an address can get one; it never changes.

        `PATCH /people/{personId}`

        Args:
            email: E-mail address
            partner_id: of staff: the only partner that their awards and redeems are for; null for any
            pin: four to eight digits, for shared tills; not for viewers

        Raises:
            RecentSignInRequiredError, PersonNotFoundError, PartnerNotFoundError, LastOwnerError, PersonExistsError
        """
        return self._caller.call(
            _UPDATE,
            options,
            path={"personId": person_id},
            body={"email": email, "name": name, "role": role, "partnerId": partner_id, "pin": pin},
        )

    def remove(self, person_id: str, *, options: Optional[Options] = None) -> Answer:
        """
        Take a person out of the workspace.

        Within a second they reach nothing of it. The last owner stays.

        `DELETE /people/{personId}`

        Raises:
            RecentSignInRequiredError, PersonNotFoundError, LastOwnerError
        """
        return self._caller.call(_REMOVE, options, path={"personId": person_id})

    def create_link(self, person_id: str, *, options: Optional[Options] = None) -> types.PersonLink:
        """
        Give a person a new sign-in link.

        It works once, for seven days. It is mailed; without a mail server `link` is for you to pass on, and null for a
        person who belongs to other workspaces too.

        `POST /people/{personId}/links`

        Raises:
            RecentSignInRequiredError, PersonNotFoundError
        """
        return self._caller.call(_CREATE_LINK, options, path={"personId": person_id})


class AsyncPeople:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    invite = awaited(People.invite)
    list = in_async_pages(People.list)
    get = awaited(People.get)
    update = awaited(People.update)
    remove = awaited(People.remove)
    create_link = awaited(People.create_link)
