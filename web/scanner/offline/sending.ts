import { effect, signal } from '@preact/signals';
import { Sender } from '../../../sdk/typescript/src/core/sender.ts';
import { byCookie } from '../../shared/by-cookie.ts';
import { type Session, session } from '../../shared/session.ts';
import { api } from '../api.ts';
import { findByCode, findByNumber } from '../look-up.ts';
import { enterer } from '../who.ts';
import { callAward } from './award-call.ts';
import { type Database, openDatabase } from './database.ts';
import { DeviceClock } from './device-clock.ts';
import type { EnteredAward, Enterer, QueuedAward } from './entry.ts';
import { AwardQueue, type Outcome, type Pause } from './queue.ts';

/** What this device keeps until the ledger has it, and what a person has to decide or has decided about. */
export const queued = signal<readonly QueuedAward[]>([]);

/** Why nothing is sent at the moment; null while nothing prevents it. */
export const pause = signal<Pause | null>(null);

/** Whether this browser keeps awards: not in a private window, nor on a full disk. */
export const keepsAwards = signal(true);

/** The other tabs of this browser, which show and send the same awards. */
const tabs = new BroadcastChannel('punchcard-scan');

const calls = new Sender(byCookie(() => undefined));

/** What the browser keeps for the scanner; null where it keeps nothing. */
export const opening: Promise<{ database: Database; queue: AwardQueue } | null> = open();

/** Keeps an award and sends it; where the browser keeps nothing, it is sent or refused at once. */
export async function sendAward(award: EnteredAward): Promise<Outcome> {
  const by = someone();
  const opened = await opening;
  if (opened !== null && keepsAwards.peek()) {
    try {
      return await opened.queue.enter(award, by);
    } catch (error) {
      // The disk is full, or the browser has closed it. The reference is the same, so it counts once in any case.
      if (!(error instanceof DOMException)) throw error;
      keepsAwards.value = false;
    }
  }
  const clock = new DeviceClock(null, () => undefined);
  const direct = { ...award, ...by, seq: 0, stamp: clock.stamp(), state: 'waiting', undo: false } as const;
  const { arrived } = await callAward(api, direct, { by, now: clock.read(), ahead: 0 });
  return { kind: 'arrived', arrived };
}

/** Undoes an award that waits, or that was sent in the same moment; whether that has happened already. */
export function undoAward(seq: number): Promise<boolean> {
  return onQueue((queue) => queue.undo(seq));
}

export function sendNow(): Promise<void> {
  return onQueue((queue) => queue.send({ isByHand: true }));
}

export function tryAgain(seq: number): Promise<void> {
  return onQueue((queue) => queue.tryAgain(seq));
}

export function dropAward(seq: number, reason: string): Promise<void> {
  return onQueue((queue) => queue.drop(seq, someone(), reason));
}

export function giveAward(award: QueuedAward, to: EnteredAward, reason: string): Promise<void> {
  return onQueue((queue) => queue.give(award, to, someone(), reason));
}

async function onQueue<R>(act: (queue: AwardQueue) => Promise<R>): Promise<R> {
  const opened = await opening;
  if (opened === null) throw new Error('the browser keeps no awards');
  return act(opened.queue);
}

function someone(): Enterer {
  const by = enterer.peek();
  if (by === null) throw new Error('no person is signed in');
  return by;
}

async function open() {
  const database = await openDatabase(() => {
    keepsAwards.value = false;
  });
  if (database === null) {
    keepsAwards.value = false;
    return null;
  }
  const known = (await database.get('device', 'ahead')) ?? null;
  const clock = new DeviceClock(known, (ahead) => {
    database.put('device', ahead, 'ahead').catch(() => undefined);
  });
  const show = () => {
    pause.value = queue.pause;
    queue.list().then(
      (awards) => {
        queued.value = awards;
      },
      () => undefined,
    );
  };
  const askWho = async () => {
    const there = await calls.json<Session>({ method: 'GET', path: '/sessions/current' }, { maxRetries: 0 });
    const known = session.peek();
    // Another person may have signed in, in another tab; and this answer must not sign in a person who has just signed out.
    if (known !== null && known.sessionId !== there.sessionId) session.value = there;
    return there.$response.headers;
  };
  const queue = new AwardQueue({
    database,
    api,
    clock,
    who: () => enterer.peek(),
    async askWho() {
      const there = await calls.json<Session>(
        { method: 'GET', path: '/sessions/current' },
        { maxRetries: 0 },
      );
      const known = session.peek();
      // Another person may have signed in, in another tab; and this answer must not sign in a person who has just signed out.
      if (known !== null && known.sessionId !== there.sessionId) session.value = there;
      return there.$response.headers;
    },
    async findFurther({ card, readings, isTyped }) {
      if (!('barcode' in card)) return undefined;
      const found = isTyped ? findByNumber(card.barcode) : findByCode(readings ?? [card.barcode]);
      const [only, ...others] = (await found).cards;
      if (only === undefined || others.length > 0) return undefined;
      return { passId: only.passId, card: { instanceId: only.instanceId } };
    },
    exclusively: (act) =>
      navigator.locks === undefined ? act() : navigator.locks.request('punchcard-scan-queue', act),
    changed() {
      show();
      tabs.postMessage('changed');
    },
  });
  tabs.addEventListener('message', show);
  const sendSoon = () => queue.sendSoon({ isUrgent: true });
  addEventListener('online', sendSoon);
  document.addEventListener('visibilitychange', () => !document.hidden && sendSoon());
  show();
  // At the start, and whenever a person has signed in.
  effect(() => {
    if (enterer.value === null) return show();
    sendSoon();
    // Entries from now on use a clock that has been compared.
    if (navigator.onLine)
      askWho().then(
        (headers) => clock.learn(headers),
        () => undefined,
      );
  });
  askToStay();
  return { database, queue };
}

/** So that a browser short of space does not throw away what waits. Only some ask the person for that. */
function askToStay(): void {
  effect(() => {
    if (queued.value.some(({ state }) => state === 'waiting' || state === 'sending'))
      navigator.storage?.persist?.().catch(() => undefined);
  });
}
