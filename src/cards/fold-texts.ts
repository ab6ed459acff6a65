import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from '../kit/db/database.ts';
import { phoneNumber } from '../kit/text/phone.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import { countryOf } from '../workspaces/phone-country.ts';
import { keepReread } from '../workspaces/workspaces.sql.ts';
import {
  findReread,
  findUnfolded,
  foldCodes,
  lockUnfolded,
  lockUnread,
  type Reread,
  saveFolds,
  type Unfolded,
} from './folding.sql.ts';

/** The cards that a step folds, in a transaction for each of their workspaces. */
const step = 500;

type Db = Pick<Database, 'db' | 'transaction'>;

/** Folds the texts of all cards of former versions: until then no caller may search. Several processes share the work. */
export async function foldAll(database: Db): Promise<number> {
  for (let done = 0; ; ) {
    const { found, folded } = await foldSome(database);
    if (found === 0) return done;
    done += folded;
    // Another process has them.
    if (folded === 0) await sleep(50);
  }
}

/** The next of them: how many were found, and how many of these no other process had. */
export async function foldSome({ db, transaction }: Db): Promise<{ found: number; folded: number }> {
  const { people, codes } = await findUnfolded(db, step);
  let folded = 0;
  for (const [workspaceId, cards] of Map.groupBy(people, (card) => card.workspaceId))
    folded += await transaction(async (tx) => {
      const ids = cards.map(({ instanceId }) => instanceId);
      return readAndFold(tx, workspaceId, await lockUnfolded(tx, workspaceId, ids));
    });
  for (const [workspaceId, cards] of Map.groupBy(codes, (card) => card.workspaceId)) {
    const ids = cards.map(({ instanceId }) => instanceId);
    folded += await transaction((tx) => foldCodes(tx, workspaceId, ids));
  }
  return { found: people.length + codes.length, folded };
}

/** Reads the next numbers again that could not be read, of a workspace whose country has changed. False when none is due. */
export async function rereadSome({ db, transaction }: Db): Promise<boolean> {
  const reread = await findReread(db);
  if (reread === undefined) return false;
  await transaction((tx) => takeStep(tx, reread));
  return true;
}

async function takeStep(tx: Tx, reread: Reread): Promise<void> {
  const people = await lockUnread(tx, reread, step);
  await readAndFold(tx, reread.workspaceId, people);
  const last = people.length < step ? null : (people.at(-1)?.instanceId ?? null);
  await keepReread(tx, reread, last);
}

async function readAndFold(tx: Tx, workspaceId: string, people: readonly Unfolded[]): Promise<number> {
  if (people.length === 0) return 0;
  const country = countryOf(await ownWorkspace(tx, { workspaceId }));
  await saveFolds(
    tx,
    workspaceId,
    people.map((person) => withNumber(person, country)),
  );
  return people.length;
}

/** Nothing is lost of what was typed. */
function withNumber(person: Unfolded, country: string | null): Unfolded {
  const typed = person.phone ?? person.phoneGiven ?? null;
  if (typed === null) return person;
  const phone = phoneNumber(typed, country);
  return phone === typed ? { ...person, phone } : { ...person, phone, phoneGiven: typed };
}
