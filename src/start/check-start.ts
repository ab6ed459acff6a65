import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { foldAll } from '../cards/fold-texts.ts';
import type { Config } from '../config.ts';
import { explainUnbounded, inspectNodes } from '../kit/citus/nodes.ts';
import type { Database } from '../kit/db/database.ts';
import { isHeldUp } from '../kit/db/database-errors.ts';
import { inspectSessions, UnboundedSessions } from '../kit/db/inspect-sessions.ts';
import { explainFileErrors } from '../kit/embedded-postgres/errors.ts';
import { requireFreePort } from '../kit/http/capacity/listeners.ts';

/**
 * What can be known before anything is built: the data directory can be used, and the port is free if this process serves.
 * Raises an error that says what to change. Another program may still take the port before the service listens.
 */
export async function checkStart({ dataDir, host, port }: Config, serves: boolean): Promise<void> {
  await explainFileErrors(dataDir, async () => {
    await makeFolder(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  });
  if (serves) await requireFreePort({ host, port });
}

/** Step by step: where a folder takes no others, as `/proc`, the `recursive` of `mkdir` never comes back. */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  await makeFolder(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // A process that starts at the same time may have been faster.
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/** A statement without end would hold its locks without end: a pooler that drops the bounds is found out here. */
export async function requireBounds({ pool }: Database, log: Logger): Promise<void> {
  const { unbounded, forgetful } = await patiently(() => inspectSessions(pool));
  if (unbounded !== null) throw new UnboundedSessions(unbounded);
  if (forgetful !== null)
    log.warn({ settings: forgetful }, 'a crash of the database loses what was acknowledged');
}

/** The first connection may be long in coming where many programs start at once. */
async function patiently<T>(ask: () => Promise<T>, triesLeft = 5): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (triesLeft === 0 || !isHeldUp(error)) throw error;
    return patiently(ask, triesLeft - 1);
  }
}

/** What comes before any call is served, once there is the schema: its nodes are bounded, and what a former version has left can be found. */
export async function completeData(database: Database, log: Logger): Promise<void> {
  await requireNodes(database, log);
  const folded = await foldAll(database);
  if (folded > 0)
    log.info({ folded }, 'the texts of cards that a former version has written are compared anew');
}

/** The same of the nodes of a cluster. One that is away is no reason to refuse those who live on the others. */
async function requireNodes({ pool }: Database, log: Logger): Promise<void> {
  const nodes = await inspectNodes(pool);
  const unbounded = explainUnbounded(nodes);
  if (unbounded !== null) throw new UnboundedSessions(unbounded);
  for (const { name, failure } of nodes)
    if (failure !== null) log.warn({ node: name, failure }, 'a node of the database does not answer');
}
