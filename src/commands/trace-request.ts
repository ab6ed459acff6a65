import { encodeId, firstId } from '../kit/ids.ts';
import { workspacesOfRequest } from '../request-log/trace.sql.ts';
import { traceRequest } from '../request-log/trace.ts';
import { useDatabase } from './use-database.ts';

/** Prints all that a request has left, in whichever workspace, and the outcome of one without a workspace. */
export async function traceById(requestId: string): Promise<void> {
  const traces = await useDatabase('punchcard trace', async ({ db }) => {
    const workspaces = await workspacesOfRequest(db, requestId);
    return Promise.all(
      workspaces.map(async (workspaceId) => ({
        workspaceId: workspaceId === firstId ? null : encodeId('ws', workspaceId),
        ...(await traceRequest(db, workspaceId, requestId, { access: 'full' })),
      })),
    );
  });
  console.log(JSON.stringify(traces, null, 2));
  if (traces.length === 0) process.exitCode = 1;
}
