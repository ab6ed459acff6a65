import type { NewMessage, Pass, Program } from '../../../../sdk/typescript/src/types.ts';
import { messages } from '../../../texts/messages.ts';

type Audience = NonNullable<NewMessage['audience']>;

/** Whom a message is for, as the composer asks for it. */
export interface Chosen {
  /** 'all', 'away', 'waiting', or `tier:` and `consent:` with a key. */
  readonly group: string;
  readonly wallet: 'all' | 'apple' | 'google' | 'web';
  readonly awayDays: number;
  readonly balance: number | null;
}

/** What a message begins with, or the audience of one that waits. */
export function chosenOf(audience: Audience | null): Chosen {
  const { installed = true, awayDays, rewardWaiting, tier, consent, balance } = audience ?? {};
  const keyed = tier === undefined ? consent && `consent:${consent}` : `tier:${tier}`;
  const group = awayDays === undefined ? (rewardWaiting ? 'waiting' : (keyed ?? 'all')) : 'away';
  return {
    group,
    wallet: installed === true ? 'all' : installed,
    awayDays: awayDays ?? 30,
    balance: balance?.from ?? null,
  };
}

/** As the API has it; undefined: all holders. */
export function audienceOf({ group, wallet, awayDays, balance }: Chosen): Audience | undefined {
  const key = group.slice(group.indexOf(':') + 1);
  const audience: Audience = {
    ...(wallet !== 'all' && { installed: wallet }),
    ...(balance !== null && { balance: { from: balance } }),
    ...(group === 'away' && { awayDays }),
    ...(group === 'waiting' && { rewardWaiting: true as const }),
    ...(group.startsWith('tier:') && { tier: key }),
    ...(group.startsWith('consent:') && { consent: key }),
  };
  return Object.keys(audience).length === 0 ? undefined : audience;
}

/** Those that a pass has, by what is chosen: what is shown. */
export function groupsOf(pass: Pass, program: Program | undefined): Record<string, string> {
  const t = messages().groups;
  const tiers = program?.tiers ?? [];
  const consents = pass.join?.consents ?? [];
  return {
    all: t.all,
    ...(program !== undefined && { away: t.away }),
    ...(program !== undefined && program.mode !== 'MONEY' && { waiting: t.waiting }),
    ...Object.fromEntries(tiers.map(({ key, title }) => [`tier:${key}`, t.tier(title)])),
    ...Object.fromEntries(consents.map(({ key, text }) => [`consent:${key}`, t.consent(text)])),
  };
}
