"""`punchcard.operator`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Literal, Optional

from .. import types
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_CREATE_WORKSPACE: Operation[types.CreatedWorkspace] = Operation(
    "POST",
    "/operator/workspaces",
    "json",
    "header",
    "operator",
)
_LIST_WORKSPACES: Operation[Page[types.Workspace]] = Operation(
    "GET",
    "/operator/workspaces",
    "page",
    "none",
    "operator",
)
_GET_WORKSPACE: Operation[types.Workspace] = Operation(
    "GET",
    "/operator/workspaces/{workspaceId}",
    "json",
    "none",
    "operator",
)
_UPDATE_WORKSPACE: Operation[types.Workspace] = Operation(
    "PATCH",
    "/operator/workspaces/{workspaceId}",
    "json",
    "header",
    "operator",
)
_CREATE_API_KEY: Operation[types.ApiKeyWithSecret] = Operation(
    "POST",
    "/operator/workspaces/{workspaceId}/api-keys",
    "json",
    "header",
    "operator",
)
_INVITE_OWNER: Operation[types.InvitedPerson] = Operation(
    "POST",
    "/operator/workspaces/{workspaceId}/people",
    "json",
    "header",
    "operator",
)
_LIST_PEOPLE: Operation[Page[types.Person]] = Operation(
    "GET",
    "/operator/workspaces/{workspaceId}/people",
    "page",
    "none",
    "operator",
)
_ADD_CREDITS: Operation[types.CreditAccount] = Operation(
    "POST",
    "/operator/workspaces/{workspaceId}/credits",
    "json",
    "none",
    "operator",
)
_DIAGNOSE_INSTANCE: Operation[types.Diagnosis] = Operation(
    "GET",
    "/operator/instances/{instanceId}/diagnosis",
    "json",
    "none",
    "operator",
)


class Operator:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create_workspace(
        self,
        *,
        name: str,
        plan: Maybe[Literal["entry", "pro"]] = NOT_GIVEN,
        credits: Maybe[int] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.CreatedWorkspace:
        """
        Create a workspace.

        A tenant with its own passes, keys and credits: as many as the setting DEFAULT_CREDITS says, unless the body
        says so. The key is shown once.

        `POST /operator/workspaces`
        """
        return self._caller.call(_CREATE_WORKSPACE, options, body={"name": name, "plan": plan, "credits": credits})

    def list_workspaces(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Workspace]:
        """
        List workspaces.

        Newest first, suspended ones included.

        `GET /operator/workspaces`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
        """
        return self._caller.pages(
            _LIST_WORKSPACES,
            options,
            query={"limit": limit, "cursor": cursor, "createdAfter": created_after, "createdBefore": created_before},
        )

    def get_workspace(self, workspace_id: str, *, options: Optional[Options] = None) -> types.Workspace:
        """
        A workspace.

        Its settings, credits and drafts.

        `GET /operator/workspaces/{workspaceId}`

        Raises:
            WorkspaceNotFoundError
        """
        return self._caller.call(_GET_WORKSPACE, options, path={"workspaceId": workspace_id})

    def update_workspace(
        self,
        workspace_id: str,
        *,
        name: Maybe[str] = NOT_GIVEN,
        plan: Maybe[Literal["entry", "pro"]] = NOT_GIVEN,
        suspended: Maybe[bool] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Workspace:
        """
        Change a workspace's plan, name or suspension.

        Absent leaves alone. The keys of a suspended workspace open nothing.

        `PATCH /operator/workspaces/{workspaceId}`

        Raises:
            WorkspaceNotFoundError
        """
        return self._caller.call(
            _UPDATE_WORKSPACE,
            options,
            path={"workspaceId": workspace_id},
            body={"name": name, "plan": plan, "suspended": suspended},
        )

    def create_api_key(
        self,
        workspace_id: str,
        *,
        name: str,
        access: Literal["full", "read"],
        pass_ids: Maybe[Optional[List[str]]] = NOT_GIVEN,
        rate_limit: Maybe[Optional[int]] = NOT_GIVEN,
        expires_at: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.ApiKeyWithSecret:
        """
        Create an API key of a workspace.

        For a workspace whose last secret was lost; on the server `punchcard keys create` does the same. The secret is
        shown once.

        `POST /operator/workspaces/{workspaceId}/api-keys`

        Args:
            pass_ids: the only passes it reaches; null for all
            rate_limit: requests per second; null for the installation's default
            expires_at: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            WorkspaceNotFoundError
        """
        return self._caller.call(
            _CREATE_API_KEY,
            options,
            path={"workspaceId": workspace_id},
            body={
                "name": name,
                "access": access,
                "passIds": pass_ids,
                "rateLimit": rate_limit,
                "expiresAt": expires_at,
            },
        )

    def invite_owner(
        self,
        workspace_id: str,
        *,
        email: str,
        name: str,
        options: Optional[Options] = None,
    ) -> types.InvitedPerson:
        """
        Invite the owner of a workspace.

        The invitation is mailed; without a mail server `link` is for you to pass on. For an owner who was invited and
        has not joined it makes a new link.

        `POST /operator/workspaces/{workspaceId}/people`

        Args:
            email: E-mail address

        Raises:
            WorkspaceNotFoundError, PersonExistsError
        """
        return self._caller.call(
            _INVITE_OWNER,
            options,
            path={"workspaceId": workspace_id},
            body={"email": email, "name": name},
        )

    def list_people(
        self,
        workspace_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Person]:
        """
        List the people of a workspace.

        Newest first, with those who were invited and have not joined.

        `GET /operator/workspaces/{workspaceId}/people`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            WorkspaceNotFoundError
        """
        return self._caller.pages(
            _LIST_PEOPLE,
            options,
            path={"workspaceId": workspace_id},
            query={"limit": limit, "cursor": cursor, "createdAfter": created_after, "createdBefore": created_before},
        )

    def add_credits(
        self,
        workspace_id: str,
        *,
        amount: int,
        external_ref: str,
        note: Maybe[str] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.CreditAccount:
        """
        Top up or correct a workspace's credits.

        Once by external_ref: a repeat answers the first result and adds nothing. Pushes that no credit was left for are
        sent. A negative amount takes free credits back, and is refused where fewer are free. Once fewer than a tenth of
        what was free after the last top-up are left, a `credits.low` event says so, once.

        `POST /operator/workspaces/{workspaceId}/credits`

        Args:
            amount: a negative amount corrects: it takes back what is free, and no more
            external_ref: Your reference of this effect: a repeat answers the original result.

        Raises:
            WorkspaceNotFoundError
        """
        return self._caller.call(
            _ADD_CREDITS,
            options,
            path={"workspaceId": workspace_id},
            body={"amount": amount, "externalRef": external_ref, "note": note},
        )

    def diagnose_instance(self, instance_id: str, *, options: Optional[Options] = None) -> types.Diagnosis:
        """
        Why a phone does not show an update of a card.

        Everything on the way from the card to its wallets, in this order and in words for a person. `error` stays until
        a person does something about it, `warning` delays or passes by itself. No device is named.

        `GET /operator/instances/{instanceId}/diagnosis`

        Raises:
            InstanceNotFoundError
        """
        return self._caller.call(_DIAGNOSE_INSTANCE, options, path={"instanceId": instance_id})


class AsyncOperator:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    create_workspace = awaited(Operator.create_workspace)
    list_workspaces = in_async_pages(Operator.list_workspaces)
    get_workspace = awaited(Operator.get_workspace)
    update_workspace = awaited(Operator.update_workspace)
    create_api_key = awaited(Operator.create_api_key)
    invite_owner = awaited(Operator.invite_owner)
    list_people = in_async_pages(Operator.list_people)
    add_credits = awaited(Operator.add_credits)
    diagnose_instance = awaited(Operator.diagnose_instance)
