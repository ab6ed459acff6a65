"""`punchcard.partners`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Mapping, Optional, Union

from .. import types
from .._answers import Answer, File
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_CREATE: Operation[types.Partner] = Operation("POST", "/partners", "json", "header")
_LIST: Operation[Page[types.Partner]] = Operation("GET", "/partners", "page")
_GET: Operation[types.Partner] = Operation("GET", "/partners/{partnerId}", "json")
_UPDATE: Operation[types.Partner] = Operation("PATCH", "/partners/{partnerId}", "json", "header")
_DELETE: Operation[Answer] = Operation("DELETE", "/partners/{partnerId}", "nothing", "header")
_STATEMENT: Operation[types.PartnerStatement] = Operation("GET", "/partners/{partnerId}/statement", "json")
_STATEMENT_CSV: Operation[File] = Operation("GET", "/partners/{partnerId}/statement.csv", "file")


class Partners:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        name: str,
        external_id: Maybe[Optional[str]] = NOT_GIVEN,
        location: Maybe[Optional[types.PartnerLocation]] = NOT_GIVEN,
        metadata: Maybe[Mapping[str, Optional[Union[str, float, bool]]]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Partner:
        """
        Create a partner.

        A partner is a shop, a branch or a campaign that cards and points are attributed to: name it as `partnerId` when
        you issue, award or redeem. With a `location`, cards that are issued at it come up at the places of their pass
        that are nearest to it.

        `POST /partners`

        Args:
            external_id: the partner's number in your own system; no other partner of the workspace has it; kept and
                compared in Unicode's NFC form
            location: where it is: cards issued at it have the ten places of their pass that are nearest to it

        Raises:
            ExternalIdTakenError
        """
        return self._caller.call(
            _CREATE,
            options,
            body={"name": name, "externalId": external_id, "location": location, "metadata": metadata},
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        external_id: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Partner]:
        """
        List partners.

        Deleted partners are not listed.

        `GET /partners`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            external_id: the partner's number in your own system; no other partner of the workspace has it; kept and
                compared in Unicode's NFC form
        """
        return self._caller.pages(
            _LIST,
            options,
            query={
                "limit": limit,
                "cursor": cursor,
                "createdAfter": created_after,
                "createdBefore": created_before,
                "externalId": external_id,
            },
        )

    def get(self, partner_id: str, *, options: Optional[Options] = None) -> types.Partner:
        """
        A partner.

        A deleted one is not found.

        `GET /partners/{partnerId}`

        Raises:
            PartnerNotFoundError
        """
        return self._caller.call(_GET, options, path={"partnerId": partner_id})

    def update(
        self,
        partner_id: str,
        *,
        name: Maybe[str] = NOT_GIVEN,
        external_id: Maybe[Optional[str]] = NOT_GIVEN,
        location: Maybe[Optional[types.PartnerLocation]] = NOT_GIVEN,
        metadata: Maybe[Mapping[str, Optional[Union[str, float, bool]]]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Partner:
        """
        Change name, external id, location or metadata of a partner.

        Absent leaves alone, null clears. `metadata` is replaced as a whole. A new `location` is pushed to the installed
        cards of all passes with more than ten places, at a credit each.

        `PATCH /partners/{partnerId}`

        Args:
            external_id: the partner's number in your own system; no other partner of the workspace has it; kept and
                compared in Unicode's NFC form
            location: where it is: cards issued at it have the ten places of their pass that are nearest to it

        Raises:
            PartnerNotFoundError, ExternalIdTakenError
        """
        return self._caller.call(
            _UPDATE,
            options,
            path={"partnerId": partner_id},
            body={"name": name, "externalId": external_id, "location": location, "metadata": metadata},
        )

    def delete(self, partner_id: str, *, options: Optional[Options] = None) -> Answer:
        """
        Delete a partner.

        Cards and entries keep its id; nothing can be attributed to it afterwards.

        `DELETE /partners/{partnerId}`

        Raises:
            PartnerNotFoundError
        """
        return self._caller.call(_DELETE, options, path={"partnerId": partner_id})

    def statement(self, partner_id: str, *, month: str, options: Optional[Options] = None) -> types.PartnerStatement:
        """
        What happened at a partner in a month.

        The month is one of the workspace's time zone, and counts what was recorded in it. `statement.csv` has the same
        as a table.

        `GET /partners/{partnerId}/statement`

        Args:
            month: a month such as 2026-11, in the time zone of the workspace

        Raises:
            PartnerNotFoundError
        """
        return self._caller.call(_STATEMENT, options, path={"partnerId": partner_id}, query={"month": month})

    def statement_csv(self, partner_id: str, *, month: str, options: Optional[Options] = None) -> File:
        """
        The same as CSV.

        A header, a line per pass, and one with the totals. Names that a spreadsheet would take for a formula begin with
        an apostrophe.

        `GET /partners/{partnerId}/statement.csv`

        Args:
            month: a month such as 2026-11, in the time zone of the workspace

        Raises:
            PartnerNotFoundError
        """
        return self._caller.call(_STATEMENT_CSV, options, path={"partnerId": partner_id}, query={"month": month})


class AsyncPartners:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    create = awaited(Partners.create)
    list = in_async_pages(Partners.list)
    get = awaited(Partners.get)
    update = awaited(Partners.update)
    delete = awaited(Partners.delete)
    statement = awaited(Partners.statement)
    statement_csv = awaited(Partners.statement_csv)
