import { dateFormat, numberFormat, pluralRules } from '../kit/anywhere/formats.ts';
import { presentMinor } from '../kit/money/minor.ts';
import { shownAmount } from '../kit/money/shown-amount.ts';
import { languageTag } from '../kit/text/language.ts';
import { dayOf } from '../kit/time.ts';
import { wordsIn } from '../locales/languages.ts';
import type { Noun, Words } from '../locales/words.ts';
import type { PassField } from '../passes/pass-row.ts';
import type { PointName, ProgramMode } from '../passes/programs/program-row.ts';
import type { Tiered } from '../passes/programs/tiers.ts';
import { isBegunName } from '../passes/translations.ts';

/** What a card knows of the program of its pass, and of its account there. */
export interface CardProgram extends Tiered {
  readonly mode: ProgramMode;
  /** Of MONEY; else null. */
  readonly currency: string | null;
  /** ISO 8601; null: not launched yet, and the card shows nothing of it. */
  readonly launchedAt: string | null;
  readonly rewardTitle: string;
  /** Of POINTS. */
  readonly rewardCost: number | null;
  /** Of STAMPS. */
  readonly threshold: number | null;
  readonly pointName: PointName;
  readonly drawsStamps: boolean;
  readonly balance: number;
  readonly pendingRewards: number;
  /** ISO 8601: the moment when they are gone. */
  readonly nextExpiry: { readonly points: number; readonly at: string } | null;
}

/** Who reads the card, and whose days are counted. */
export interface Reader {
  readonly locale: string | null;
  /** IANA name of the workspace's time zone. */
  readonly timezone: string;
}

/** Leads the header: what a stack of cards shows of each. Keys of a pass's own fields have no hyphen. */
export const BALANCE_KEY = 'loyalty-balance';
/** Shown while there is one. */
export const PENDING_KEY = 'loyalty-pending';
const REWARD_KEY = 'loyalty-reward';

/**
 * The fields that a program adds to its cards once it is launched; paused ones show it too. Which there are, and where,
 * is the same for all cards of a pass: one that has nothing to show has no value.
 */
export function programFields(program: CardProgram | null, reader: Reader): PassField[] {
  if (program === null || program.launchedAt === null) return [];
  const { words: all, language } = wordsIn(reader.locale);
  const words = all.program;
  const tag = languageTag(reader.locale) ?? 'en';
  const { mode, currency, balance, pendingRewards, rewardTitle, pointName, nextExpiry } = program;
  const { format: number } = numberFormat(tag);
  const noun = nounOf(program, words);
  const counted = (value: number) =>
    currency === null
      ? `${number(value)} ${nounFor(value, noun, tag)}`
      : shownAmount(presentMinor(value, currency), tag);
  const label = noun.label ?? capitalised(pointName.other, tag);
  const goal = (mode === 'POINTS' ? program.rewardCost : program.threshold) ?? 0;
  const progress = fill(words.progress, { count: number(balance), threshold: number(goal) });
  const shown = { POINTS: number(balance), STAMPS: progress, MONEY: counted(balance) };
  const balanceField = field(BALANCE_KEY, 'header', label, shown[mode]);
  const reward = field(REWARD_KEY, 'secondary', words.reward, `${rewardTitle}: ${counted(goal)}`);
  const ready = pendingRewards > 0 ? `${rewardTitle} × ${number(pendingRewards)}` : null;
  const pending = field(PENDING_KEY, 'secondary', words.ready, ready);
  const expires =
    nextExpiry === null
      ? null
      : fill(words.expires, {
          points: counted(nextExpiry.points),
          date: lastDay(new Date(nextExpiry.at), reader.timezone, language),
        });
  return [
    announced(balanceField),
    ...(mode === 'STAMPS' ? [announced(pending)] : []),
    ...(mode === 'MONEY' ? [] : [reward]),
    field('loyalty-expiry', 'back', words.expiry, expires),
  ];
}

/**
 * A pass's own fields with those of its program. The balance leads the header; all others come after the pass's own, without
 * those that replace the program until there is one. A ready reward has a row of its own. What no wallet has room for
 * elsewhere goes on the back.
 */
export function withProgram(
  all: readonly PassField[],
  program: CardProgram | null,
  reader: Reader,
): PassField[] {
  const [balance, ...others] = programFields(program, reader);
  if (balance === undefined) return [...all];
  const own = all.filter(({ untilProgram }) => untilProgram !== true);
  const header = own.filter(({ section }) => section === 'header');
  const moved = new Set(header.slice(mostInHeader - 1));
  const placed = own.map((each) => (moved.has(each) ? { ...each, section: 'auxiliary' as const } : each));
  // Where stamps are drawn, they take the place of what stands above the row.
  const drawn = program?.mode === 'STAMPS' && program.drawsStamps;
  const inRow = placed.filter(
    ({ section }) => section === 'secondary' || section === 'auxiliary' || (drawn && section === 'primary'),
  );
  const hasRoom = inRow.length < mostInRow;
  const added = others.map(
    (each): PassField => (each.key === REWARD_KEY && !hasRoom ? { ...each, section: 'back' } : each),
  );
  const fields = [balance, ...placed, ...added];
  return program?.mode === 'STAMPS' ? belowReady(fields) : fields;
}

/** Leaves the row of the ready reward to it. */
function belowReady(fields: readonly PassField[]): PassField[] {
  return fields.map((each) =>
    each.section === 'secondary' && each.key !== PENDING_KEY ? { ...each, section: 'auxiliary' } : each,
  );
}

/** Apple's header takes three fields; its store cards and coupons four below it, in one row. */
const mostInHeader = 3;
const mostInRow = 4;

function field(key: string, section: PassField['section'], label: string, value: string | null): PassField {
  return { key, label, value, section, editable: true, changeMessage: null };
}

/** The lock screen says it when it changes. A sign of its format that the shop wrote would spoil the text. */
function announced(each: PassField): PassField {
  return { ...each, changeMessage: each.label.includes('%') ? '%@' : `${each.label}: %@` };
}

type Named = PointName & Partial<Noun>;

/** What the shop calls it; where it has kept the names that a program begins with, these in the language of the card. */
function nounOf(program: CardProgram, { nouns }: Words['program']): Named {
  return isBegunName(program) ? nouns[program.mode] : program.pointName;
}

/** The shop names one and several: languages with more forms than these take the second. */
function nounFor(value: number, noun: Named, tag: string): string {
  return noun[pluralRules(tag).select(value)] ?? noun.other;
}

function capitalised(text: string, tag: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(tag) + text.slice(first.length);
}

/** The last day on which something still counts that is gone at a moment. */
function lastDay(gone: Date, timezone: string, language: string): string {
  const format = dateFormat(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return format.format(new Date(dayOf(timezone, new Date(gone.getTime() - 1))));
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
