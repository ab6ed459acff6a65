import { signal } from '@preact/signals';
import type { Instance } from '../../sdk/typescript/src/types.ts';
import { navigate } from '../shared/router.ts';
import { giveSignal } from './feedback.ts';
import { type Found, findByCode, findByText } from './look-up.ts';
import { callService, isUnreachable, recallByCode } from './offline/known-cards.ts';
import { turnCase } from './wedge.ts';

/** What is looked for, and what has come of it where that is not one card. */
export type Search =
  | { readonly kind: 'none' }
  | { readonly kind: 'looking' | 'nothing' | 'shared'; readonly text: string }
  | {
      readonly kind: 'unknown';
      readonly text: string;
      readonly readings: readonly string[];
      readonly isTyped: boolean;
    }
  | { readonly kind: 'several'; readonly text: string; readonly cards: readonly Instance[] }
  | { readonly kind: 'failed'; readonly text: string; readonly error: unknown };

export const search = signal<Search>({ kind: 'none' });

/** Counts the cards that were found: each is shown anew, the same one too. */
export const finds = signal(0);

/** A code in front of a reader is read many times. */
const sameMs = 2_000;
let last = { text: '', at: Number.NEGATIVE_INFINITY };

/** Takes a code that was read, by a camera or a reader, in all ways to understand it. */
export function onCode(...readings: readonly string[]): void {
  const text = readings[0] ?? '';
  const now = performance.now();
  const isSame = text === last.text && now - last.at < sameMs;
  last = { text, at: now };
  if (!isSame && text !== '') void find(text, readings, false, () => findByCode(readings));
}

/** Takes what the user has typed. */
export function onText(text: string): void {
  if (text !== '') void find(text, [text, turnCase(text)], true, () => findByText(text));
}

/** Shows the card, of which more is known than its id. */
export function showCard(card: Instance): void {
  known.set(card.instanceId, card);
  openCard(card.instanceId);
}

function openCard(instanceId: string): void {
  search.value = { kind: 'none' };
  finds.value += 1;
  navigate(`/scan/cards/${instanceId}`);
}

export function forgetSearch(): void {
  search.value = { kind: 'none' };
}

const known = new Map<string, Instance>();

/** A card that was just found, once: later it may have changed. */
export function leaseFound(instanceId: string): Instance | undefined {
  const card = known.get(instanceId);
  known.delete(instanceId);
  return card;
}

/** Only the newest search counts: its answer may come before those of older ones. */
let newest = 0;

async function find(
  text: string,
  readings: readonly string[],
  isTyped: boolean,
  look: () => Promise<Found>,
): Promise<void> {
  newest += 1;
  const turn = newest;
  search.value = { kind: 'looking', text };
  const next = await callService(look).then(
    ({ cards, isShared }): Search | Instance => {
      const [only, ...others] = cards;
      if (only !== undefined && others.length === 0) return only;
      if (only !== undefined) return { kind: 'several', text, cards };
      return { kind: isShared ? 'shared' : 'nothing', text };
    },
    (error: unknown) => recalled(text, readings, isTyped, error),
  );
  if (turn !== newest) return;
  if (typeof next === 'string' || 'instanceId' in next) {
    giveSignal('found');
    if (typeof next !== 'string') known.set(next.instanceId, next);
    openCard(typeof next === 'string' ? next : next.instanceId);
    return;
  }
  giveSignal(next.kind === 'several' ? 'found' : 'bad');
  search.value = next;
  navigate('/scan');
}

/** Without a network: the id of a card that this till has shown lately, or else a code under which an award can be kept. */
async function recalled(
  text: string,
  readings: readonly string[],
  isTyped: boolean,
  error: unknown,
): Promise<Search | string> {
  if (!isUnreachable(error)) return { kind: 'failed', text, error };
  const instanceId = await recallByCode(readings);
  if (instanceId !== undefined) return instanceId;
  // An address is no code.
  return text.includes('@') ? { kind: 'failed', text, error } : { kind: 'unknown', text, readings, isTyped };
}
