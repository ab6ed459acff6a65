"""`punchcard.workspace`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Optional

from .. import types
from .._asynchronous import awaited
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options

_GET: Operation[types.Workspace] = Operation("GET", "/workspace", "json")
_UPDATE: Operation[types.Workspace] = Operation("PATCH", "/workspace", "json", "header")


class Workspace:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, options: Optional[Options] = None) -> types.Workspace:
        """
        Your workspace.

        Its settings, credits and drafts.

        `GET /workspace`
        """
        return self._caller.call(_GET, options)

    def update(
        self,
        *,
        name: Maybe[str] = NOT_GIVEN,
        timezone: Maybe[str] = NOT_GIVEN,
        locale: Maybe[str] = NOT_GIVEN,
        currency: Maybe[types.Currency] = NOT_GIVEN,
        country: Maybe[Optional[str]] = NOT_GIVEN,
        defaults: Maybe[types.WorkspaceDefaults] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Workspace:
        """
        Change name, time zone, locale, currency or defaults.

        The name is shown on every card. `defaults` fill what POST /passes leaves out.

        `PATCH /workspace`

        Args:
            timezone: IANA name, e.g. Europe/Berlin
            country: ISO 3166-1, e.g. DE: how telephone numbers without a country are read; null: by the time zone or
                the locale, where these name a country
        """
        return self._caller.call(
            _UPDATE,
            options,
            body={
                "name": name,
                "timezone": timezone,
                "locale": locale,
                "currency": currency,
                "country": country,
                "defaults": defaults,
            },
        )


class AsyncWorkspace:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    get = awaited(Workspace.get)
    update = awaited(Workspace.update)
