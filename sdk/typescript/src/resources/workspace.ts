import type { CallOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type { Workspace, WorkspaceChanges } from '../types.ts';

export class WorkspaceResource extends Resource {
  /**
   * Your workspace.
   *
   * Its settings, credits and drafts.
   */
  get(options?: CallOptions): Promise<Workspace & Result> {
    return this.sender.json<Workspace>({ method: 'GET', path: '/workspace' }, options);
  }

  /**
   * Change name, time zone, locale, currency or defaults.
   *
   * The name is shown on every card. `defaults` fill what POST /passes leaves out.
   */
  update(body: WorkspaceChanges, options?: CallOptions): Promise<Workspace & Result> {
    return this.sender.json<Workspace>({ method: 'PATCH', path: '/workspace', body, key: 'header' }, options);
  }
}
