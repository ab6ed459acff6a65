"""`punchcard.devices`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Optional

from .. import types
from .._answers import Answer
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_CREATE: Operation[types.NewlyMadeDevice] = Operation("POST", "/devices", "json", "header")
_LIST: Operation[Page[types.Device]] = Operation("GET", "/devices", "page")
_REVOKE: Operation[Answer] = Operation("DELETE", "/devices/{deviceId}", "nothing", "header")


class Devices:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        name: str,
        partner_id: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.NewlyMadeDevice:
        """
        Make a shared till.

        Its `code` pairs the browser that sends it to POST /devices/pair, once, within 15 minutes. People with a PIN
        sign in there, as staff of the workspace.

        `POST /devices`

        Args:
            name: what the staff call it
            partner_id: the partner that all awards and redeems at it are for

        Raises:
            PartnerNotFoundError
        """
        return self._caller.call(_CREATE, options, body={"name": name, "partnerId": partner_id})

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Device]:
        """
        List the shared tills.

        Newest first.

        `GET /devices`

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

    def revoke(self, device_id: str, *, options: Optional[Options] = None) -> Answer:
        """
        Revoke a shared till.

        Who is signed in at it is signed out within a second.

        `DELETE /devices/{deviceId}`

        Raises:
            DeviceNotFoundError
        """
        return self._caller.call(_REVOKE, options, path={"deviceId": device_id})


class AsyncDevices:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    create = awaited(Devices.create)
    list = in_async_pages(Devices.list)
    revoke = awaited(Devices.revoke)
