"""`punchcard.api_keys`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Literal, Optional

from .. import types
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_CURRENT: Operation[types.CurrentKey] = Operation("GET", "/me", "json")
_CREATE: Operation[types.ApiKeyWithSecret] = Operation("POST", "/api-keys", "json", "header")
_LIST: Operation[Page[types.ApiKey]] = Operation("GET", "/api-keys", "page")
_GET: Operation[types.ApiKey] = Operation("GET", "/api-keys/{keyId}", "json")
_UPDATE: Operation[types.ApiKey] = Operation("PATCH", "/api-keys/{keyId}", "json", "header")
_REVOKE: Operation[types.ApiKey] = Operation("DELETE", "/api-keys/{keyId}", "json", "header")
_ROTATE: Operation[types.ApiKeyWithSecret] = Operation("POST", "/api-keys/{keyId}/rotate", "json", "header")


class ApiKeys:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def current(self, *, options: Optional[Options] = None) -> types.CurrentKey:
        """
        The key that calls, or the person, and the workspace.

        Its access, the passes that it reaches, and how fast it may call. Of a person `keyId` is null, and `role` and
        `partnerId` say what they may do; of a key these are null.

        `GET /me`
        """
        return self._caller.call(_CURRENT, options)

    def create(
        self,
        *,
        name: str,
        access: Literal["full", "read"],
        pass_ids: Maybe[Optional[List[str]]] = NOT_GIVEN,
        rate_limit: Maybe[Optional[int]] = NOT_GIVEN,
        expires_at: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.ApiKeyWithSecret:
        """
        Create an API key.

        The secret is shown once. `read` keys may only GET; `pass_ids` restricts a key to those passes.

        `POST /api-keys`

        Args:
            pass_ids: the only passes it reaches; null for all
            rate_limit: requests per second; null for the installation's default
            expires_at: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            RecentSignInRequiredError
        """
        return self._caller.call(
            _CREATE,
            options,
            body={
                "name": name,
                "access": access,
                "passIds": pass_ids,
                "rateLimit": rate_limit,
                "expiresAt": expires_at,
            },
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.ApiKey]:
        """
        List API keys.

        Newest first, revoked ones included; never their secrets.

        `GET /api-keys`

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

    def get(self, key_id: str, *, options: Optional[Options] = None) -> types.ApiKey:
        """
        An API key.

        Without its secret.

        `GET /api-keys/{keyId}`

        Raises:
            ApiKeyNotFoundError
        """
        return self._caller.call(_GET, options, path={"keyId": key_id})

    def update(
        self,
        key_id: str,
        *,
        name: Maybe[str] = NOT_GIVEN,
        access: Maybe[Literal["full", "read"]] = NOT_GIVEN,
        pass_ids: Maybe[Optional[List[str]]] = NOT_GIVEN,
        rate_limit: Maybe[Optional[int]] = NOT_GIVEN,
        expires_at: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.ApiKey:
        """
        Change an API key.

        Absent leaves alone. The last key that reaches everything for ever must go on doing so.

        `PATCH /api-keys/{keyId}`

        Args:
            pass_ids: the only passes it reaches; null for all
            rate_limit: requests per second; null for the installation's default
            expires_at: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            RecentSignInRequiredError, ApiKeyNotFoundError, LastKeyError
        """
        return self._caller.call(
            _UPDATE,
            options,
            path={"keyId": key_id},
            body={
                "name": name,
                "access": access,
                "passIds": pass_ids,
                "rateLimit": rate_limit,
                "expiresAt": expires_at,
            },
        )

    def revoke(self, key_id: str, *, options: Optional[Options] = None) -> types.ApiKey:
        """
        Revoke an API key.

        Every process answers 401 to it within a second.

        `DELETE /api-keys/{keyId}`

        Raises:
            RecentSignInRequiredError, ApiKeyNotFoundError, LastKeyError
        """
        return self._caller.call(_REVOKE, options, path={"keyId": key_id})

    def rotate(
        self,
        key_id: str,
        *,
        overlap_seconds: Maybe[int] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.ApiKeyWithSecret:
        """
        Give an API key a new secret.

        The old secret works until the overlap ends. The new one is shown once.

        `POST /api-keys/{keyId}/rotate`

        Args:
            overlap_seconds: how long the old secret still works; default 0

        Raises:
            RecentSignInRequiredError, ApiKeyNotFoundError
        """
        return self._caller.call(_ROTATE, options, path={"keyId": key_id}, body={"overlapSeconds": overlap_seconds})


class AsyncApiKeys:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    current = awaited(ApiKeys.current)
    create = awaited(ApiKeys.create)
    list = in_async_pages(ApiKeys.list)
    get = awaited(ApiKeys.get)
    update = awaited(ApiKeys.update)
    revoke = awaited(ApiKeys.revoke)
    rotate = awaited(ApiKeys.rotate)
