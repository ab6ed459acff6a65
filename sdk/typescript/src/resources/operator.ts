import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type {
  ApiKeyWithSecret,
  CreatedWorkspace,
  CreditAccount,
  Diagnosis,
  InvitedPerson,
  ListAnyPeopleQuery,
  ListWorkspacesQuery,
  NewApiKey,
  NewCredits,
  NewOwner,
  NewWorkspace,
  Person,
  Workspace,
  WorkspaceChangesByOperator,
} from '../types.ts';

export class OperatorResource extends Resource {
  /**
   * Create a workspace.
   *
   * A tenant with its own passes, keys and credits: as many as the setting DEFAULT_CREDITS says, unless
   * the body says so. The key is shown once.
   */
  createWorkspace(body: NewWorkspace, options?: CallOptions): Promise<CreatedWorkspace & Result> {
    return this.sender.json<CreatedWorkspace>(
      { method: 'POST', path: '/operator/workspaces', body, key: 'header', credential: 'operator' },
      options,
    );
  }

  /**
   * List workspaces.
   *
   * Newest first, suspended ones included.
   */
  listWorkspaces(query?: ListWorkspacesQuery, options?: CallOptions): List<Workspace> {
    return this.sender.list<Workspace>(
      { method: 'GET', path: '/operator/workspaces', query, credential: 'operator' },
      options,
    );
  }

  /**
   * A workspace.
   *
   * Its settings, credits and drafts.
   *
   * Refused with `workspace_not_found`.
   */
  getWorkspace(workspaceId: string, options?: CallOptions): Promise<Workspace & Result> {
    return this.sender.json<Workspace>(
      { method: 'GET', path: path`/operator/workspaces/${workspaceId}`, credential: 'operator' },
      options,
    );
  }

  /**
   * Change a workspace's plan, name or suspension.
   *
   * Absent leaves alone. The keys of a suspended workspace open nothing.
   *
   * Refused with `workspace_not_found`.
   */
  updateWorkspace(
    workspaceId: string,
    body: WorkspaceChangesByOperator,
    options?: CallOptions,
  ): Promise<Workspace & Result> {
    return this.sender.json<Workspace>(
      {
        method: 'PATCH',
        path: path`/operator/workspaces/${workspaceId}`,
        body,
        key: 'header',
        credential: 'operator',
      },
      options,
    );
  }

  /**
   * Create an API key of a workspace.
   *
   * For a workspace whose last secret was lost; on the server `punchcard keys create` does the same. The
   * secret is shown once.
   *
   * Refused with `workspace_not_found`.
   */
  createApiKey(
    workspaceId: string,
    body: NewApiKey,
    options?: CallOptions,
  ): Promise<ApiKeyWithSecret & Result> {
    return this.sender.json<ApiKeyWithSecret>(
      {
        method: 'POST',
        path: path`/operator/workspaces/${workspaceId}/api-keys`,
        body,
        key: 'header',
        credential: 'operator',
      },
      options,
    );
  }

  /**
   * Invite the owner of a workspace.
   *
   * The invitation is mailed; without a mail server `link` is for you to pass on. For an owner who was
   * invited and has not joined it makes a new link.
   *
   * Refused with `workspace_not_found`, `person_exists`.
   */
  inviteOwner(workspaceId: string, body: NewOwner, options?: CallOptions): Promise<InvitedPerson & Result> {
    return this.sender.json<InvitedPerson>(
      {
        method: 'POST',
        path: path`/operator/workspaces/${workspaceId}/people`,
        body,
        key: 'header',
        credential: 'operator',
      },
      options,
    );
  }

  /**
   * List the people of a workspace.
   *
   * Newest first, with those who were invited and have not joined.
   *
   * Refused with `workspace_not_found`.
   */
  listPeople(workspaceId: string, query?: ListAnyPeopleQuery, options?: CallOptions): List<Person> {
    return this.sender.list<Person>(
      {
        method: 'GET',
        path: path`/operator/workspaces/${workspaceId}/people`,
        query,
        credential: 'operator',
      },
      options,
    );
  }

  /**
   * Top up or correct a workspace's credits.
   *
   * Once by externalRef: a repeat answers the first result and adds nothing. Pushes that no credit was
   * left for are sent. A negative amount takes free credits back, and is refused where fewer are free.
   * Once fewer than a tenth of what was free after the last top-up are left, a `credits.low` event says
   * so, once.
   *
   * Refused with `workspace_not_found`.
   */
  addCredits(workspaceId: string, body: NewCredits, options?: CallOptions): Promise<CreditAccount & Result> {
    return this.sender.json<CreditAccount>(
      {
        method: 'POST',
        path: path`/operator/workspaces/${workspaceId}/credits`,
        body,
        credential: 'operator',
      },
      options,
    );
  }

  /**
   * Why a phone does not show an update of a card.
   *
   * Everything on the way from the card to its wallets, in this order and in words for a person. `error`
   * stays until a person does something about it, `warning` delays or passes by itself. No device is
   * named.
   *
   * Refused with `instance_not_found`.
   */
  diagnoseInstance(instanceId: string, options?: CallOptions): Promise<Diagnosis & Result> {
    return this.sender.json<Diagnosis>(
      { method: 'GET', path: path`/operator/instances/${instanceId}/diagnosis`, credential: 'operator' },
      options,
    );
  }
}
