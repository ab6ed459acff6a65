import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorkspace } from '../administration/create-workspace.ts';
import type { App } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { decodeId } from '../kit/ids.ts';
import { ownerLink } from '../sign-in/owner-link.ts';
import { anyWorkspaceExists, lockInstallation } from '../workspaces/workspaces.sql.ts';

/** What the first start leaves for its operator. */
export interface FirstRun {
  readonly operatorToken: string;
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly url: string;
  /** Signs the first owner in, once, for 30 minutes; absent with CONSOLE=off. */
  readonly consoleUrl?: string;
}

/**
 * On an empty database makes the workspace "Default" and writes its key and the operator token to
 * `DATA_DIR/first-run.json`, mode 0600, before the workspace exists for others: the key can never be lost.
 * Answers null when a workspace exists.
 */
export async function prepareFirstRun(app: App): Promise<FirstRun | null> {
  return app.database.transaction(async (tx) => {
    if (!(await isFirstRun(tx))) return null;
    const ctx = { app, requestId: 'first-run' };
    const { workspaceId, apiKey } = await createWorkspace(tx, ctx, {
      name: 'Default',
      plan: 'entry',
      credits: 1_000,
    });
    const firstRun = {
      operatorToken: app.operatorToken,
      workspaceId,
      apiKey,
      url: app.config.publicUrl,
      ...(app.config.console && { consoleUrl: await ownerLink(tx, ctx, decodeId('ws', workspaceId) ?? '') }),
    };
    const path = firstRunFile(app.config.dataDir);
    await mkdir(app.config.dataDir, { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, `${JSON.stringify(firstRun, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
    return firstRun;
  });
}

/** Where the first start leaves its key and token. */
export function firstRunFile(dataDir: string): string {
  return join(dataDir, 'first-run.json');
}

/** Whether the installation has no workspace yet. Of several processes that ask at once, one gets yes. */
async function isFirstRun(tx: Tx): Promise<boolean> {
  await lockInstallation(tx);
  return !(await anyWorkspaceExists(tx));
}
