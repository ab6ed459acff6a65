import { randomUUID } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { NewApiKey } from '../access/key.schema.ts';
import { revokeApiKey } from '../administration/api-keys.ts';
import { createApiKey } from '../administration/create-api-key.ts';
import { createWorkspace } from '../administration/create-workspace.ts';
import { everyKey, everyWorkspace } from '../administration/list-workspaces.ts';
import { findAnyWorkspace, updateAnyWorkspace } from '../administration/update-workspace.ts';
import { listWithFigures } from '../administration/workspace-lists.sql.ts';
import { ConfigError, readConfig } from '../config.ts';
import type { CommandCtx } from '../context.ts';
import { findCreditAccount } from '../credits/credits.sql.ts';
import { addCredits } from '../credits/credits.ts';
import type { Database, Tx } from '../kit/db/database.ts';
import { shapeCheck } from '../kit/http/schemas/validation.ts';
import { ownerLink } from '../sign-in/owner-link.ts';
import { setAddress } from '../sign-in/set-address.ts';
import { commandConfig } from '../start/address.ts';
import { NewCredits, NewWorkspace, presentWorkspace } from '../workspaces/workspace.schema.ts';
import { useDatabase } from './use-database.ts';

type Options = Readonly<Record<string, string | undefined>>;

/** Lists all workspaces. */
export async function listWorkspaces(): Promise<void> {
  print(await reading(({ db }) => everyWorkspace(db)));
}

/** Shows one. */
export async function showWorkspace(id: string): Promise<void> {
  print(await reading(async ({ db }) => presentWorkspace(await findAnyWorkspace(db, id))));
}

/** Makes one; the secret of its key is in the answer and nowhere else. */
export async function newWorkspace(name: string, { plan, credits }: Options): Promise<void> {
  const input = held(NewWorkspace, { name, plan, credits: numberOf(credits) });
  print(await writing((tx, ctx) => createWorkspace(tx, ctx, input)));
}

/** Suspends one, so that its keys open nothing, or ends that. */
export function suspendWorkspace(suspended: boolean): (workspaceId: string) => Promise<void> {
  return async (workspaceId) => {
    print(await writing((tx, ctx) => updateAnyWorkspace(tx, ctx, { workspaceId, changes: { suspended } })));
  };
}

/** Prints a link that signs an owner in, once; of the only workspace, unless one is named. */
export async function consoleLink(id: string | undefined): Promise<void> {
  if (!readConfig().console) throw new ConfigError('CONSOLE is off: people cannot sign in here');
  const link = await writing(async (tx, ctx) => {
    const [only, ...others] = id === undefined ? await listWithFigures(tx, { after: null, take: 2 }) : [];
    if (others.length > 0) throw new ConfigError('There are several workspaces: name one, ws_…');
    const { workspaceId } = only ?? (await findAnyWorkspace(tx, id ?? ''));
    return ownerLink(tx, ctx, workspaceId);
  });
  console.log(link);
}

/** Gives a person another address, where no mail can prove it. */
export async function setPersonAddress(personId: string, email: string): Promise<void> {
  await writing((tx, ctx) => setAddress(tx, ctx, { personId, email }));
  console.log(`${personId} signs in with ${email} from now on.`);
}

/** Lists the keys of a workspace, never their secrets. */
export async function listApiKeys(id: string): Promise<void> {
  print(await reading(async ({ db }) => everyKey(db, (await findAnyWorkspace(db, id)).workspaceId)));
}

/** Makes a key; its secret is in the answer and nowhere else. */
export async function newApiKey(id: string, { name, access }: Options): Promise<void> {
  const input = held(NewApiKey, { name, access });
  print(await writing(async (tx, ctx) => createApiKey(tx, await inWorkspace(tx, ctx, id), input)));
}

/** Ends a key for good. */
export async function endApiKey(id: string, keyId: string): Promise<void> {
  print(await writing(async (tx, ctx) => revokeApiKey(tx, await inWorkspace(tx, ctx, id), { keyId })));
}

/** Shows the credits of a workspace. */
export async function showCredits(id: string): Promise<void> {
  print(await reading(async ({ db }) => findCreditAccount(db, (await findAnyWorkspace(db, id)).workspaceId)));
}

/** Tops them up, once by each call. */
export async function topUp(id: string, amount: string, { note }: Options): Promise<void> {
  const externalRef = `command-${randomUUID()}`;
  const input = held(NewCredits, { amount: numberOf(amount), externalRef, note });
  print(
    await writing(async (tx, ctx) => {
      const { workspaceId } = await findAnyWorkspace(tx, id);
      return addCredits(tx, ctx, { ...input, workspaceId });
    }),
  );
}

function reading<T>(work: (database: Database) => Promise<T>): Promise<T> {
  return useDatabase('punchcard workspaces', work);
}

/** One unit of work, as a request of the operator is. Jobs of a running service notice by themselves. */
function writing<T>(work: (tx: Tx, ctx: CommandCtx) => Promise<T>): Promise<T> {
  const app = { config: commandConfig(), now: () => new Date(), wake: () => undefined };
  const ctx = { app, requestId: `cmd_${randomUUID()}` };
  return reading((database) => database.transaction((tx) => work(tx, ctx)));
}

async function inWorkspace(tx: Tx, ctx: CommandCtx, id: string) {
  const { workspaceId } = await findAnyWorkspace(tx, id);
  return { ...ctx, workspaceId, actor: 'operator' };
}

/** What the endpoint's body would be held against. */
function held<S extends TSchema>(schema: S, given: Readonly<Record<string, unknown>>): Static<S> {
  const value = Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined));
  const wrong = shapeCheck(schema)(value);
  if (wrong !== null) throw new ConfigError(wrong.message.replace(/^body\W*/, ''));
  return value as Static<S>;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** Prints a table on a terminal, and the answer of the API for programs. */
function print(value: object): void {
  const isRead = process.stdout.isTTY && !process.argv.includes('--json');
  if (isRead) console.table(value);
  else console.log(JSON.stringify(value, null, 2));
}
