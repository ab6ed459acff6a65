import { effect } from '@preact/signals';
import type { CallOptions } from '../../../sdk/typescript/src/core/options.ts';
import { PunchcardError } from '../../../sdk/typescript/src/core/punchcard-error.ts';
import { cutOff } from '../../../sdk/typescript/src/core/read-answer.ts';
import type { Instance, Program } from '../../../sdk/typescript/src/types.ts';
import { session, workspaceId } from '../../shared/session.ts';
import { api } from '../api.ts';
import { nameOf } from '../card-name.ts';
import { readingsIn } from '../further-readings.ts';
import { asked } from '../who.ts';
import type { Database } from './database.ts';
import { forgetCards, recallCard, recallCode, rememberCard } from './seen-cards.ts';
import { opening } from './sending.ts';

/** A card, and since when it is not known to have changed; null where the service has just sent it. */
export interface KnownCard {
  readonly card: Instance;
  readonly asOf: number | null;
}

/** A card as the service has it, or just had; without a network as this till has shown it lately. */
export function loadCard(
  instanceId: string,
  found: Instance | undefined,
  options: CallOptions,
): Promise<KnownCard> {
  return orKept<KnownCard>(
    async () => {
      const card = found ?? (await api.instances.get(instanceId, options));
      await keeping((database, workspace) =>
        rememberCard(database, { instanceId, workspaceId: workspace, ...whatIsShown(card), at: Date.now() }),
      );
      return { card, asOf: null };
    },
    async (database, workspace) => {
      const seen = await recallCard(database, workspace, instanceId, Date.now());
      return seen && { card: seen.card, asOf: seen.at };
    },
  );
}

/** A program; without a network as this till has seen it last. */
export function loadProgram(programId: string, options: CallOptions): Promise<Program> {
  return orKept(
    async () => {
      const program = await api.programs.get(programId, options);
      await keeping((database) => database.put('programs', program));
      return program;
    },
    (database) => database.get('programs', programId),
  );
}

/** The id of the card that this till has shown lately by a code as it was read, or by its further readings if that is one. */
export async function recallByCode(readings: readonly string[]): Promise<string | undefined> {
  const opened = await opening;
  const workspace = workspaceId.peek();
  if (opened === null || workspace === null) return undefined;
  const { exact, further } = readingsIn(readings);
  const recall = (code: string) => recallCode(opened.database, workspace, code, Date.now());
  const known = await recall(exact);
  if (known !== undefined) return known.instanceId;
  const ids = new Set((await Promise.all(further.map(recall))).flatMap((seen) => seen?.instanceId ?? []));
  return ids.size === 1 ? [...ids][0] : undefined;
}

/** Asks, where the device does not know already that it has no network. */
export async function callService<T>(ask: () => Promise<T>): Promise<T> {
  if (!navigator.onLine) throw cutOff('');
  return ask();
}

/** Whether a call has failed for want of a network. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof PunchcardError && error.status === 0;
}

// A link opens the card for anyone who has it.
const noLinks: Instance['links'] = { card: '', add: '', apple: '', google: '', qr: '' };

/** No more of a card than its page shows. */
function whatIsShown(card: Instance): { readonly code: string; readonly card: Instance } {
  const { barcode, holder } = card;
  const shown = holder && { name: nameOf(card), identifier: null, email: null, phone: null, locale: null };
  return {
    code: barcode ?? '',
    card: {
      ...card,
      holder: shown,
      fields: {},
      metadata: {},
      externalRef: null,
      voidReason: null,
      links: noLinks,
    },
  };
}

async function orKept<T>(
  ask: () => Promise<T>,
  recall: (database: Database, workspace: string) => Promise<T | undefined>,
): Promise<T> {
  try {
    return await callService(ask);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const kept = await keeping(recall);
    if (kept === undefined) throw error;
    return kept;
  }
}

/** Acts on what the browser keeps; undefined where it keeps nothing, or will not. */
async function keeping<T>(
  act: (database: Database, workspace: string) => Promise<T>,
): Promise<T | undefined> {
  const opened = await opening;
  const workspace = workspaceId.peek();
  if (opened === null || workspace === null) return undefined;
  return act(opened.database, workspace).catch(() => undefined);
}

// The next person does not see whose cards were here.
effect(() => {
  if (asked.value === 'known' && session.value === null)
    void opening.then((opened) => opened && forgetCards(opened.database));
});
