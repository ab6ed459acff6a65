import { dayOf, endOfDay, monthsLater } from './calendar.ts';
import type { Call, Target } from './calls.ts';
import type { Entry, Holder, Reward, Use, World } from './world.ts';

/** What the service must answer; of a success without a body only the status matters. */
export interface Expected {
  readonly status: number;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The answer that it repeats. */
  readonly replays?: string;
}

/** What the service did answer, as far as the model needs it: it makes up no ids. */
export interface Answered {
  readonly text: string;
  readonly entryId: string | null;
  readonly card: { readonly instanceId: string; readonly barcode: string } | null;
}

export interface Step {
  readonly world: World;
  readonly expected: Expected;
}

class Refusal extends Error {
  readonly expected: Expected;
  constructor(status: number, code: string, extra: object = {}) {
    super(code);
    this.expected = { status, body: { code, ...extra } };
  }
}

/** The world after a call, and what the service must have answered. */
export function apply(world: World, call: Call, answered: Answered): Step {
  const ref = 'ref' in call && call.ref !== null ? `${call.op} ${call.ref}` : null;
  const claim = ref === null ? undefined : world.claims.get(ref);
  try {
    if (claim !== undefined) {
      if (claim.effect !== effectOf(call)) throw new Refusal(409, 'external_ref_reused');
      return { world, expected: { status: 200, replays: claim.text } };
    }
    const done = perform(world, call, answered);
    if (ref === null) return done;
    const claims = new Map(world.claims).set(ref, { effect: effectOf(call), text: answered.text });
    return { ...done, world: { ...done.world, claims } };
  } catch (error) {
    if (error instanceof Refusal) return { world, expected: error.expected };
    throw error;
  }
}

function effectOf(call: Call): string {
  const { ref: _, occurredAt: __, ...effect } = { ref: null, occurredAt: null, ...call };
  return JSON.stringify(effect);
}

function perform(world: World, call: Call, answered: Answered): Step {
  switch (call.op) {
    case 'earn':
      return earn(world, call, answered);
    case 'redeem':
      return redeem(world, call, answered);
    case 'adjust':
      return adjust(world, call, answered);
    case 'reverse':
      return reverse(world, call, answered);
    case 'refund':
      return refund(world, call, answered);
    case 'preview':
      return preview(world, call);
    case 'look':
      return look(world, call.identifier);
    case 'setStatus':
      return setStatus(world, call.status);
    case 'setPrice':
      return { world: { ...world, rules: { ...world.rules, price: call.price } }, expected: { status: 200 } };
    case 'void':
      return setVoided(world, call.instanceId, true);
    case 'reactivate':
      return reactivate(world, call.instanceId);
    case 'issue':
      return issue(world, call.identifier, answered);
    case 'expire':
      return { world: expireAll(world), expected: { status: 200 } };
  }
}

function earn(world: World, call: Call & { op: 'earn' }, { entryId }: Answered): Step {
  mustRun(world);
  const holder = holderOf(world, call.target);
  const expiresAt = expiryOf(world, call.occurredAt ?? world.now);
  const book = new Book(world, holder);
  book.expireDue();
  book.refuseTooMany(call.points);
  const limitedBy = book.limitOn(call.points);
  const points = limitedBy === null ? call.points : 0;
  const { isOfOrder } = call;
  book.write('earn', points, { id: entryId, into: points > 0 ? expiresAt : null, isOfOrder });
  if (points > 0) {
    book.lifetime += points;
    book.noteEarned(points);
    book.unlock();
  }
  return book.answer({ points, ...standing(world, book), ...(limitedBy !== null && { limitedBy }) });
}

function redeem(world: World, call: Call & { op: 'redeem' }, { entryId }: Answered): Step {
  mustRun(world);
  const book = new Book(world, holderOf(world, call.target));
  const { mode, price, title } = world.rules;
  book.expireDue();
  const { balance } = book;
  if (mode === 'POINTS') {
    if (balance < price) throw new Refusal(409, 'insufficient_points', { balance, cost: price });
    book.write('redeem', -price, { id: entryId, take: price });
    return book.answer({ rewardTitle: title, spent: price, balance: book.balance, pendingRewards: 0 });
  }
  const oldest = book.rewards.find(({ status }) => status === 'pending');
  if (oldest === undefined) throw new Refusal(409, 'no_reward_pending', { balance, threshold: price });
  book.write('redeem', 0, { id: entryId, reward: oldest.seq });
  book.setReward(oldest.seq, 'redeemed');
  const { pendingRewards } = book;
  return book.answer({ rewardTitle: oldest.title, spent: 0, balance: book.balance, pendingRewards });
}

function adjust(world: World, call: Call & { op: 'adjust' }, { entryId }: Answered): Step {
  const book = new Book(world, holderOf(world, call.target));
  const { points, isEarned } = call;
  const kind = isEarned ? 'adjust' : 'correction';
  book.expireDue();
  if (points < 0 && book.balance + points < 0)
    throw new Refusal(409, 'balance_too_low', { balance: book.balance });
  if (points > 0) {
    book.refuseTooMany(points, isEarned ? points : 0);
    book.write(kind, points, { id: entryId, into: expiryOf(world, world.now) });
    book.unlock();
  } else {
    book.write(kind, points, { id: entryId, take: -points });
  }
  if (isEarned) book.lifetime += points;
  return book.answer({ points, ...standing(world, book) });
}

function reverse(world: World, { entryId: target }: Call & { op: 'reverse' }, { entryId }: Answered): Step {
  const holder = world.holders.find(({ account }) => account?.entries.some(({ id }) => id === target));
  const entry = holder?.account?.entries.find(({ id }) => id === target);
  if (
    holder === undefined ||
    entry === undefined ||
    !['earn', 'redeem'].includes(entry.kind) ||
    entry.isOfOrder
  )
    throw new Refusal(409, 'entry_not_reversible');
  if (holder.account?.reversed.has(entry.seq) === true) throw new Refusal(409, 'already_reversed');
  const book = new Book(world, holder);
  book.expireDue();
  const points = entry.kind === 'earn' ? undoEarn(book, entry, entryId) : undoRedeem(book, entry, entryId);
  book.reversed.add(entry.seq);
  return book.answer({ points, ...standing(world, book), reversalOf: target });
}

/** Points of an order's entry are taken again, which may be done until none of them is left. */
function refund(
  world: World,
  { entryId: target, points: asked }: Call & { op: 'refund' },
  { entryId }: Answered,
): Step {
  const holder = world.holders.find(({ account }) => account?.entries.some(({ id }) => id === target));
  const entry = holder?.account?.entries.find(({ id }) => id === target);
  if (holder === undefined || entry === undefined) throw new Error('no account has the entry of an order');
  const book = new Book(world, holder);
  book.expireDue();
  const points = undoEarn(book, { ...entry, points: asked }, entryId);
  book.refunded.set(entry.seq, (book.refunded.get(entry.seq) ?? 0) - points);
  const { instanceId } = book;
  const body = { instanceId, programId: world.programId, points, ...standing(world, book) };
  return { world: book.close(), expected: { status: 200, body } };
}

/** Points that expire no earlier than these and were not spent would have been: they pay first, then the balance. */
function undoEarn(book: Book, { points: earned, into, isOfOrder }: Entry, id: string | null): number {
  let rest = earned;
  const back: Use[] = [];
  for (const [expiresAt, expired] of [...book.expired].sort(([a], [b]) => a - b)) {
    const amount = Math.min(rest, expired);
    if (into === null || expiresAt < into || amount === 0) continue;
    rest -= amount;
    back.push({ expiresAt, amount });
  }
  while (book.balance < rest && book.cancelNewest());
  const covered = Math.min(rest, Math.max(book.balance, 0));
  const owed = book.world.rules.refundPolicy === 'debt' ? rest - covered : 0;
  const taken = earned - rest + covered + owed;
  if (taken === 0 && isOfOrder) return 0;
  for (const { expiresAt, amount } of back) book.expire(expiresAt, -amount);
  book.write('reversal', 0 - taken, { id, take: taken - owed, first: into });
  book.lifetime -= taken;
  return 0 - taken;
}

function undoRedeem(book: Book, { points, uses, reward }: Entry, id: string | null): number {
  if (reward !== null) book.setReward(reward, 'pending');
  book.write('reversal', 0 - points, { id, giveBack: uses });
  while (book.balance < 0 && book.cancelNewest());
  return 0 - points;
}

/** What an award would do; nothing is done. */
function preview(world: World, call: Call & { op: 'preview' }): Step {
  mustRun(world);
  const nothing = { text: '', entryId: null, card: null };
  const holder = holderOf(world, call.target);
  const before = new Book(world, holder).pendingRewards;
  const award = { ...call, op: 'earn' as const, ref: null, occurredAt: null, isOfOrder: false };
  const { expected } = earn(world, award, nothing);
  const { points, limitedBy, balance, pendingRewards = 0 } = expected.body ?? {};
  const limit = limitedBy === undefined ? {} : { limitedBy };
  const body = {
    points,
    ...limit,
    balance,
    pendingRewards,
    rewardsUnlocked: Number(pendingRewards) - before,
  };
  return { world, expected: { status: 200, body } };
}

/** The account as of now: points whose time is over are not shown, whether or not the job took them yet. */
function look(world: World, identifier: string): Step {
  const holder = world.holders.find((one) => one.identifier === identifier);
  if (holder === undefined) throw new Refusal(404, 'holder_not_found');
  const book = new Book(world, holder);
  book.expireDue();
  const [[at, points] = [Infinity, 0]] = book.openLots();
  const { passId, programId, rules } = world;
  const body = {
    identifier,
    instanceId: book.instanceId,
    passId,
    programId,
    mode: rules.mode,
    tier: null,
    ...standing(world, book),
    nextExpiry: at === Infinity ? null : { points, at: new Date(at).toISOString() },
  };
  return { world, expected: { status: 200, body } };
}

function setStatus(world: World, status: 'active' | 'paused'): Step {
  if (status === 'paused' && world.status !== 'active')
    throw new Refusal(422, 'program_state_conflict', { reason: 'pause_requires_active' });
  return { world: { ...world, status }, expected: { status: 200 } };
}

function setVoided(world: World, instanceId: string, voided: boolean): Step {
  const holders = world.holders.map((holder) => ({
    ...holder,
    cards: holder.cards.map((card) => (card.instanceId === instanceId ? { ...card, voided } : card)),
  }));
  return { world: { ...world, holders }, expected: { status: 200 } };
}

/** The account of a holder follows the card that is made valid again. */
function reactivate(world: World, instanceId: string): Step {
  const holder = holderWith(world, (card) => card.instanceId === instanceId);
  if (holder?.cards.some((card) => !card.voided && card.instanceId !== instanceId) === true)
    throw new Refusal(409, 'holder_has_active_instance');
  const after = setVoided(world, instanceId, false);
  return { ...after, world: moveAccount(after.world, instanceId) };
}

function issue(world: World, identifier: string, { card }: Answered): Step {
  const holder = world.holders.find((one) => one.identifier === identifier);
  if (holder === undefined || holder.cards.some(({ voided }) => !voided) || card === null)
    return { world, expected: { status: holder === undefined ? 201 : 200 } };
  const cards = [...holder.cards, { ...card, voided: false }];
  const holders = world.holders.map((one) => (one === holder ? { ...one, cards } : one));
  return { world: moveAccount({ ...world, holders }, card.instanceId), expected: { status: 201 } };
}

function moveAccount(world: World, instanceId: string): World {
  const holders = world.holders.map((holder) =>
    holder.account !== null && holder.cards.some((card) => card.instanceId === instanceId)
      ? { ...holder, account: { ...holder.account, instanceId } }
      : holder,
  );
  return { ...world, holders };
}

function expireAll(world: World): World {
  return world.holders.reduce((before, holder) => {
    if (holder.account === null) return before;
    const book = new Book(before, holder);
    book.expireDue();
    return book.close();
  }, world);
}

function mustRun({ status }: World): void {
  if (status === 'not_launched') throw new Refusal(400, 'program_not_launched');
  if (status === 'paused') throw new Refusal(400, 'program_inactive');
}

function holderWith(world: World, fits: (card: Holder['cards'][number]) => boolean): Holder | undefined {
  return world.holders.find(({ cards }) => cards.some(fits));
}

/** The holder of the card that is meant, and that must be valid. */
function holderOf(world: World, { by, value }: Target): Holder {
  if (by === 'identifier') {
    const holder = world.holders.find(({ identifier }) => identifier === value);
    if (holder === undefined) throw new Refusal(404, 'holder_not_found');
    if (holder.cards.every(({ voided }) => voided)) throw new Refusal(409, 'instance_voided');
    return holder;
  }
  const holder = holderWith(world, (card) => card[by] === value);
  if (holder === undefined) throw new Refusal(404, 'instance_not_found');
  if (holder.cards.some((card) => card[by] === value && card.voided))
    throw new Refusal(409, 'instance_voided');
  return holder;
}

function expiryOf({ rules, zone, now }: World, earnedAt: number): number {
  if (rules.months === null) return Infinity;
  const expiresAt = endOfDay(monthsLater(dayOf(earnedAt, zone), rules.months), zone);
  if (expiresAt <= now) throw new Refusal(400, 'invalid_request');
  return expiresAt;
}

function standing({ rules: { mode, price } }: World, { balance, lifetime, pendingRewards }: Book): object {
  const [threshold, cost] = mode === 'STAMPS' ? [price, null] : [null, price];
  return { balance, lifetimePoints: lifetime, threshold, cost, pendingRewards };
}

interface Writing {
  readonly id?: string | null;
  /** Points of this expiry are brought. */
  readonly into?: number | null;
  /** So many are taken from the lots: this one first, then what expires first. */
  readonly take?: number;
  readonly first?: number | null;
  /** Points that cover no debt go back to their lots, first to the lot that expires last. */
  readonly giveBack?: readonly Use[];
  readonly reward?: number | null;
  readonly isOfOrder?: boolean;
  /** What expires, of whichever lot; below zero: what is back, whatever is owed. */
  readonly expires?: Use;
}

/** A copy of an account to write in; `answer` or `close` puts it into the world. */
class Book {
  readonly world: World;
  readonly holder: Holder;
  readonly instanceId: string;
  readonly entries: Entry[];
  readonly lots: Map<number, number>;
  readonly expired: Map<number, number>;
  readonly refunded: Map<number, number>;
  readonly reversed: Set<number>;
  rewards: Reward[];
  balance: number;
  lifetime: number;
  lastEarnedAt: number | null;
  day: string;
  earnedThatDay: number;

  constructor(world: World, holder: Holder) {
    const { account } = holder;
    this.world = world;
    this.holder = holder;
    const shown = holder.cards.find(({ voided }) => !voided) ?? holder.cards.at(-1);
    this.instanceId = account?.instanceId ?? shown?.instanceId ?? '';
    this.entries = [...(account?.entries ?? [])];
    this.lots = new Map(account?.lots);
    this.expired = new Map(account?.expired);
    this.refunded = new Map(account?.refunded);
    this.reversed = new Set(account?.reversed);
    this.rewards = [...(account?.rewards ?? [])];
    this.balance = account?.balance ?? 0;
    this.lifetime = account?.lifetime ?? 0;
    this.lastEarnedAt = account?.lastEarnedAt ?? null;
    this.day = account?.day ?? '';
    this.earnedThatDay = account?.earnedThatDay ?? 0;
  }

  get pendingRewards(): number {
    return this.rewards.filter(({ status }) => status === 'pending').length;
  }

  /** Appends an entry and moves its points in or out of the lots. */
  write(kind: string, points: number, writing: Writing): Entry {
    const { id = null, into = null, reward = null, isOfOrder = false, ...moves } = writing;
    this.balance += points;
    if (into !== null) this.#putIn(into, Math.max(0, Math.min(points, this.balance)));
    const uses = [
      ...this.#take(moves.take ?? 0, moves.first ?? null),
      ...this.#giveBack(moves.giveBack ?? [], Math.max(0, Math.min(points, this.balance))),
      ...(moves.expires === undefined ? [] : this.#use(moves.expires.expiresAt, moves.expires.amount)),
    ];
    const seq = this.entries.length + 1;
    const entry = { seq, id, kind, points, balance: this.balance, into, uses, reward, isOfOrder };
    this.entries.push(entry);
    return entry;
  }

  expireDue(): void {
    for (const [expiresAt, remaining] of this.openLots()) {
      if (expiresAt <= this.world.now) this.expire(expiresAt, remaining);
    }
  }

  expire(expiresAt: number, amount: number): void {
    this.expired.set(expiresAt, (this.expired.get(expiresAt) ?? 0) + amount);
    this.write('expire', 0 - amount, { expires: { expiresAt, amount } });
  }

  /** More than a number can say, or a hundred rewards on top of those that a lower price has left to unlock. */
  refuseTooMany(points: number, earned = points): void {
    const { mode, price } = this.world.rules;
    const highest = Math.max(this.balance + points, this.lifetime + earned);
    const rewardsIn = (balance: number) => Math.floor(Math.max(0, balance) / price);
    const rewards = rewardsIn(this.balance + points) - rewardsIn(this.balance);
    if (highest > Number.MAX_SAFE_INTEGER || (mode === 'STAMPS' && rewards > 100))
      throw new Refusal(400, 'invalid_request');
  }

  limitOn(points: number): string | null {
    const { rules, now, zone } = this.world;
    const { minSecondsBetween, perDay } = rules;
    const since = this.lastEarnedAt === null ? Infinity : now - this.lastEarnedAt;
    if (minSecondsBetween !== null && since < minSecondsBetween * 1_000) return 'min_seconds_between';
    const today = this.day === dayOf(now, zone) ? this.earnedThatDay : 0;
    return perDay !== null && today + points > perDay ? 'per_day' : null;
  }

  noteEarned(points: number): void {
    const today = dayOf(this.world.now, this.world.zone);
    this.earnedThatDay = points + (this.day === today ? this.earnedThatDay : 0);
    this.day = today;
    this.lastEarnedAt = this.world.now;
  }

  /** Stamps become rewards as long as they suffice. */
  unlock(): void {
    const { mode, price, title } = this.world.rules;
    if (mode === 'POINTS') return;
    while (this.balance >= price) {
      const { seq } = this.write('unlock', -price, { take: price });
      this.rewards.push({ seq, title, price, status: 'pending' });
    }
  }

  /** Turns the newest reward that waits back into stamps; false when none does. */
  cancelNewest(): boolean {
    const newest = this.rewards.findLast(({ status }) => status === 'pending');
    if (newest === undefined) return false;
    this.write('cancel', newest.price, { giveBack: this.entries[newest.seq - 1]?.uses ?? [] });
    this.setReward(newest.seq, 'cancelled');
    return true;
  }

  setReward(seq: number, status: Reward['status']): void {
    this.rewards = this.rewards.map((reward) => (reward.seq === seq ? { ...reward, status } : reward));
  }

  answer(body: object): Step {
    const { holder, instanceId, world } = this;
    const same = world.status === 'not_launched' || new Book(world, holder).#face === this.#face;
    const push = { pushed: false, pushSkipReason: same ? 'unchanged' : 'not_installed' };
    const expected = { status: 200, body: { instanceId, programId: world.programId, ...body, ...push } };
    return { world: this.close(), expected };
  }

  close(): World {
    const { world, holder, ...account } = this;
    const holders = world.holders.map((one) => (one === holder ? { ...one, account } : one));
    return { ...world, holders };
  }

  /** What the card shows. */
  get #face(): string {
    return `${this.balance} ${this.pendingRewards} ${this.openLots()[0]?.[0]}`;
  }

  openLots(): [expiresAt: number, remaining: number][] {
    return [...this.lots].filter(([, remaining]) => remaining > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #putIn(expiresAt: number, amount: number): void {
    if (amount > 0) this.lots.set(expiresAt, (this.lots.get(expiresAt) ?? 0) + amount);
  }

  #take(wanted: number, first: number | null): Use[] {
    let left = wanted;
    const open = this.openLots();
    const order = [...open.filter(([at]) => at === first), ...open.filter(([at]) => at !== first)];
    return order.flatMap(([expiresAt, remaining]) => {
      const amount = Math.min(left, remaining);
      left -= amount;
      return this.#use(expiresAt, amount);
    });
  }

  #giveBack(uses: readonly Use[], wanted: number): Use[] {
    let left = wanted;
    const order = [...uses].sort((a, b) => (a.expiresAt < b.expiresAt ? 1 : -1));
    return order.flatMap(({ expiresAt, amount: taken }) => {
      const amount = Math.min(left, taken);
      left -= amount;
      return this.#use(expiresAt, -amount);
    });
  }

  #use(expiresAt: number, amount: number): Use[] {
    const remaining = this.lots.get(expiresAt);
    if (remaining === undefined || amount === 0) return [];
    this.lots.set(expiresAt, remaining - amount);
    return [{ expiresAt, amount }];
  }
}
