import type { DesignedPass, Money, Program, ProgramChanges } from '../../../sdk/typescript/src/types.ts';
import { presentMinor } from '../../../src/kit/money/minor.ts';
import { UserMessage } from '../../shared/api-error.ts';
import { minorOf } from '../../shared/minor.ts';
import { typedAmount } from '../../shared/typed-amount.ts';
import { errors } from '../../texts/errors.ts';
import { program as texts } from '../../texts/program.ts';
import { units } from '../../texts/units.ts';

/** What a program counts that the form edits. */
export type Mode = Program['mode'];

/** A reward of the ladder. The first one is what the cards show. */
export interface Rung {
  /** Of the row: it stays when the row moves. */
  readonly row: string;
  /** Null: it is new. */
  readonly rewardId: string | null;
  readonly title: string;
  readonly cost: string;
  readonly isHidden: boolean;
}

export interface TierRow {
  readonly row: string;
  /** Empty: it is new. */
  readonly key: string;
  readonly title: string;
  readonly from: string;
  readonly multiplier: string;
}

export interface RateRow {
  readonly row: string;
  readonly currency: string;
  readonly rate: string;
}

/** What the fields of the page hold, as it was typed. */
export interface Draft {
  readonly mode: Mode;
  /** The first is the reward of the sentence; of STAMPS there is no other, and its cost is the number of stamps. */
  readonly rewards: readonly Rung[];
  /** So many points for so much money. */
  readonly points: string;
  readonly money: string;
  readonly perOrder: string;
  readonly tiers: readonly TierRow[];
  readonly currency: string;
  readonly rates: readonly RateRow[];
  readonly minOrder: string;
  /** Of that amount. */
  readonly minCurrency: string;
  readonly perAward: string;
  readonly perAwardOfStaff: string;
  readonly perDay: string;
  readonly pauseMinutes: string;
  readonly months: string;
  readonly refundPolicy: Program['refundPolicy'];
  readonly one: string;
  readonly other: string;
  readonly drawsStamps: boolean;
  /** Money that a card may hold, in MONEY. */
  readonly most: string;
}

const text = (value: number | string | null | undefined) => String(value ?? '');

/** A name for a row that nothing else has. */
export function newRow(): string {
  return crypto.randomUUID();
}

export function newDraft(mode: Mode): Draft {
  const isStamps = mode === 'STAMPS';
  const { one, other } = units()[mode];
  return {
    mode,
    rewards: [{ row: newRow(), rewardId: null, title: '', cost: isStamps ? '10' : '100', isHidden: false }],
    points: '1',
    money: '1',
    perOrder: isStamps ? '1' : '0',
    tiers: [],
    currency: '',
    rates: [],
    minOrder: '',
    minCurrency: '',
    perAward: '',
    perAwardOfStaff: '',
    perDay: '',
    pauseMinutes: '',
    months: '',
    refundPolicy: 'debt',
    one,
    other,
    drawsStamps: true,
    most: '',
  };
}

export function draftOf(program: Program): Draft {
  const { reward, rewards, threshold, tiers, earn, limits, expiry, pointName } = program;
  const { mode } = program;
  // Of money, the smallest unit is what is counted.
  const counted = (most: number | null | undefined) =>
    program.currency === null || most == null ? text(most) : presentMinor(most, program.currency).amount;
  const { perCurrencyUnit } = earn;
  // A tenth of a point for one is one for ten.
  const money = Math.round(1 / perCurrencyUnit);
  const isPart = perCurrencyUnit > 0 && perCurrencyUnit < 1 && 1 / money === perCurrencyUnit;
  return {
    mode,
    rewards:
      mode === 'STAMPS'
        ? [{ row: 'first', rewardId: null, title: reward.title, cost: text(threshold), isHidden: false }]
        : rewards.map(({ rewardId, title, cost, status }) => ({
            row: rewardId,
            rewardId,
            title,
            cost: text(cost),
            isHidden: status === 'hidden',
          })),
    points: isPart ? '1' : text(perCurrencyUnit),
    money: isPart ? text(money) : '1',
    perOrder: text(earn.perOrder),
    tiers: tiers.map(({ key, title, from, multiplier }) => ({
      row: key,
      key,
      title,
      from: text(from),
      multiplier: text(multiplier),
    })),
    currency: text(program.currency ?? earn.currency),
    rates: Object.entries(earn.rates).map(([currency, rate]) => ({ row: currency, currency, rate })),
    minOrder: text(earn.minOrder?.amount),
    minCurrency: text(earn.minOrder?.currency ?? earn.currency),
    perAward: counted(limits.perAward),
    perAwardOfStaff: counted(limits.perAwardByRole.staff),
    perDay: text(limits.perDay),
    pauseMinutes: text(limits.minSecondsBetween === null ? '' : limits.minSecondsBetween / 60),
    months: text(expiry.months),
    refundPolicy: program.refundPolicy,
    one: pointName.one,
    other: pointName.other,
    drawsStamps: program.drawsStamps,
    most: text(program.maxBalance?.amount),
  };
}

const number = (typed: string) => (typed.trim() === '' ? null : Number(typed));

/** What the sentence says, as a new program. */
export function newProgramOf(passId: string, draft: Draft) {
  const { mode, rewards, points, money, perOrder, one, other } = draft;
  const title = rewards[0]?.title.trim() ?? '';
  const goal = Number(rewards[0]?.cost);
  const pointName = { one, other };
  if (mode === 'MONEY') return { passId, mode, currency: draft.currency, ...moneyTermsOf(draft) };
  return mode === 'STAMPS'
    ? { passId, mode, reward: { title }, threshold: goal, earn: { perOrder: Number(perOrder) }, pointName }
    : {
        passId,
        mode,
        reward: { title, cost: goal },
        earn: { perCurrencyUnit: Number(points) / Number(money) },
        pointName,
      };
}

/** What a merchant may change of a program that holds money. Raises a `UserMessage` for what is no amount. */
function moneyTermsOf({ currency, most, months, perAward, perAwardOfStaff, one, other }: Draft) {
  const amount = (field: string, typed: string): Money | null => {
    if (typed.trim() === '') return null;
    const money = { amount: typedAmount(typed, currency), currency };
    if (Number.isSafeInteger(minorOf(money))) return money;
    throw new UserMessage(errors().byRule['format decimal'], field);
  };
  const minor = (field: string, typed: string) => {
    const money = amount(field, typed);
    return money && minorOf(money);
  };
  return {
    maxBalance: amount('maxBalance', most),
    expiry: { months: number(months) },
    limits: {
      perAward: minor('limits.perAward', perAward),
      perAwardByRole: { staff: minor('limits.perAwardByRole.staff', perAwardOfStaff) },
    },
    pointName: { one: one.trim(), other: other.trim() },
  };
}

/** All that the page holds, as a change of the program. */
export function changesOf(program: Program, draft: Draft): ProgramChanges {
  if (draft.mode === 'MONEY') return moneyTermsOf(draft);
  const [first] = draft.rewards;
  const title = first?.title.trim() ?? '';
  const { currency, one, other } = draft;
  const least = draft.minOrder.trim();
  const pause = number(draft.pauseMinutes);
  return {
    ...(draft.mode === 'STAMPS'
      ? { reward: { title }, threshold: number(first?.cost ?? '') }
      : { rewards: draft.rewards.map(rewardOf) }),
    tiers: tiersOf(draft.tiers),
    earn: {
      perOrder: number(draft.perOrder) ?? 0,
      ...(draft.mode === 'POINTS' && { perCurrencyUnit: Number(draft.points) / Number(draft.money) }),
      ...(currency !== '' && { currency }),
      rates: ratesOf(program, draft),
      minOrder:
        least === '' ? null : { amount: typedAmount(least, draft.minCurrency), currency: draft.minCurrency },
    },
    expiry: { months: number(draft.months) },
    limits: {
      perDay: number(draft.perDay),
      minSecondsBetween: pause === null ? null : Math.round(pause * 60),
      perAward: number(draft.perAward),
      perAwardByRole: { staff: number(draft.perAwardOfStaff) },
    },
    refundPolicy: draft.refundPolicy,
    pointName: { one: one.trim(), other: other.trim() },
    drawsStamps: draft.drawsStamps,
  };
}

function rewardOf({ rewardId, title, cost, isHidden }: Rung) {
  return {
    ...(rewardId !== null && { rewardId }),
    title: title.trim(),
    cost: Number(cost),
    status: isHidden ? ('hidden' as const) : ('active' as const),
  };
}

function tiersOf(rows: readonly TierRow[]) {
  const taken = new Set(rows.map(({ key }) => key));
  return rows.map(({ key, title, from, multiplier }) => {
    let own = key;
    for (let n = 1; own === ''; n++) if (!taken.has(`tier_${n}`)) own = `tier_${n}`;
    taken.add(own);
    return { key: own, title: title.trim(), from: Number(from), multiplier: number(multiplier) ?? 1 };
  });
}

/** Those that are there, and null for those that are gone. */
function ratesOf({ earn }: Program, { rates }: Draft): Record<string, string | null> {
  const gone = Object.keys(earn.rates).map((currency) => [currency, null] as const);
  const kept = rates.map(({ currency, rate }) => [currency.toUpperCase(), rate.replace(',', '.')] as const);
  return Object.fromEntries([...gone, ...kept]);
}

/** What the live card draws; undefined while no whole number is typed. */
export function shownOf({
  mode,
  rewards,
  one,
  other,
  drawsStamps,
  currency,
}: Draft): DesignedPass['program'] {
  const named = one.trim() !== '' && other.trim() !== '';
  const pointName = named && { pointName: { one: one.trim(), other: other.trim() } };
  if (mode === 'MONEY') return currency === '' ? undefined : { mode, currency, ...pointName };
  const goal = Number(rewards[0]?.cost);
  if (!Number.isSafeInteger(goal) || goal < 1) return undefined;
  const title = rewards[0]?.title.trim() || texts().rewardExample;
  return {
    mode,
    reward: mode === 'POINTS' ? { title, cost: goal } : { title },
    ...(mode === 'STAMPS' && { threshold: goal }),
    ...pointName,
    drawsStamps,
  };
}
