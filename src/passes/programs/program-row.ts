import type { Role } from '../../people/roles.ts';

/** In MONEY points are the smallest unit of a currency. */
export type ProgramMode = 'POINTS' | 'STAMPS' | 'MONEY';
export type ProgramStatus = 'not_launched' | 'active' | 'paused';

/** The loyalty program of a pass. */
export interface ProgramRow {
  readonly workspaceId: string;
  readonly programId: string;
  readonly passId: string;
  readonly mode: ProgramMode;
  readonly status: ProgramStatus;
  /** Of MONEY, as ISO 4217 names it; null in other modes. */
  readonly currency: string | null;
  /** What a card may hold in MONEY, in the smallest unit; null: any amount. */
  readonly maxBalance: number | null;
  /** Of the first reward; empty in MONEY, which has none. */
  readonly rewardTitle: string;
  /** Points that a reward costs, in POINTS alone. */
  readonly rewardCost: number | null;
  /** Stamps that unlock a reward, in STAMPS alone. */
  readonly threshold: number | null;
  /** The stored rewards of a program of POINTS: `rewardsOf` reads them. */
  readonly rewards: readonly ProgramReward[];
  /** The lowest first. */
  readonly tiers: readonly Tier[];
  readonly earn: EarnRule;
  /** How long what is earned lasts; null: for ever. */
  readonly expiryMonths: number | null;
  /** Points that a card may earn in a calendar day. */
  readonly perDay: number | null;
  readonly minSecondsBetween: number | null;
  /** Points that one award may give, before what a tier makes of them; of people of some roles in the place of that. */
  readonly perAward: number | null;
  readonly perAwardByRole: Readonly<Partial<Record<Role, number>>>;
  readonly refundPolicy: 'debt' | 'within_balance';
  readonly pointName: PointName;
  readonly drawsStamps: boolean;
  /** Since then the cards show the program. */
  readonly launchedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Something that points buy. */
export interface ProgramReward {
  readonly rewardId: string;
  readonly title: string;
  readonly cost: number;
  /** What is hidden is not redeemed. */
  readonly status: 'active' | 'hidden';
}

/** What holders come to by what they earn. */
export interface Tier {
  readonly key: string;
  readonly title: string;
  /** The lifetime points that it begins at. */
  readonly from: number;
  /** What its holders earn counts so many times, with at most three decimals. */
  readonly multiplier: number;
}

/** What an order earns. */
export interface EarnRule {
  /** Points for each unit of the currency, with at most three decimals. */
  readonly perCurrencyUnit: number;
  /** The currency that it counts in. Absent where a former version has written the rule: any counts, one for one. */
  readonly currency?: string;
  /** What one unit of another currency is worth in this one: decimal strings. */
  readonly rates?: Readonly<Record<string, string>>;
  readonly perOrder: number;
  /** Orders below earn nothing. */
  readonly minOrder: Money | null;
}

/** A decimal string with the currency's digits, and the ISO 4217 code. */
interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** What one point is called, and several. */
export interface PointName {
  readonly one: string;
  readonly other: string;
}
