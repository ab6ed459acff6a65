/** A bug that is planted into the service, to see whether the property tests find it. */
export interface Mutation {
  /** `the property tests find out when …` */
  readonly name: string;
  readonly edits: readonly Edit[];
  /** How many calls must be made at once for it to show. */
  readonly width: number;
}

export interface Edit {
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly text: string;
  readonly replacement: string;
}

const ledger = 'src/ledger/account-ledger.ts';
const undo = 'src/ledger/undo.ts';
const lots = 'src/ledger/lot-moves.ts';
const earn = 'src/loyalty/earn-points.ts';
const redeem = 'src/loyalty/redeem-reward.ts';
const claims = 'src/kit/db/claims.ts';
const reverse = 'src/loyalty/reverse-entry.ts';

/** The seven that a ledger's tests must find at least. */
const seven: readonly Mutation[] = [
  mutation('no debt is made when an earn is undone', [
    undo,
    "refundPolicy === 'debt' ? undone.points : covered",
    'covered',
  ]),
  mutation('what is owed is not paid by what is earned', [
    ledger,
    'const lasting = Math.max(0, Math.min(points, ledger.account.balance));',
    'const lasting = points;',
  ]),
  // How much of an order is left to refund is known to the order; what is left of its points, to the ledger.
  mutation('undoing takes the full amount where it may take what is left only', [
    undo,
    "refundPolicy === 'debt' ? undone.points : covered",
    'undone.points',
  ]),
  mutation('undoing takes one point too many', [
    undo,
    "post(ledger, cause, 'reversal', -taken, {",
    "post(ledger, cause, 'reversal', -taken - 1, {",
  ]),
  mutation('a redeem does not look at the balance', [redeem, 'if (balance < cost) {', 'if (balance < 0) {']),
  mutation('an entry can be undone twice', [
    reverse,
    'if (isReversed || ledger.reversed.has(undone.seq))',
    'if (isReversed)',
  ]),
  mutation('more is taken from a lot than it has', [
    lots,
    'const part = Math.min(left, lot.remaining);',
    'const part = left;',
  ]),
];

const more: readonly Mutation[] = [
  mutation('lifetime points stay when an earn is undone', [
    undo,
    'take(ledger, entry.seq, covered, expiresAt);\n  gain(ledger, -taken);',
    'take(ledger, entry.seq, covered, expiresAt);',
  ]),
  mutation('a key is forgotten, so that a call that is sent again counts again', [
    earn,
    'key, effect: [points] }),',
    'key, effect: [points] }), claims: [],',
  ]),
  mutation('a key may be used for another amount', [earn, 'effect: [points] }', 'effect: [] }']),
  mutation(
    'points whose time is over can be spent',
    [
      redeem,
      'const balance = ledger.spendable(account, cause.at);\n  if (balance < cost)',
      'const { balance } = account.account;\n  if (balance < cost)',
    ],
    [redeem, 'ledger.expireDue(account, cause);\n  const entry = ledger.spend', 'const entry = ledger.spend'],
  ),
  mutation('a refused redeem shows a balance with points that have expired', [
    redeem,
    'const balance = ledger.spendable(account, cause.at);\n  if (balance < cost)',
    'const { balance } = account.account;\n  if (balance < cost)',
  ]),
  mutation('a refused redeem takes away points whose time is over', [
    redeem,
    'const balance = ledger.spendable(account, cause.at);\n  if (balance < cost)',
    'ledger.expireDue(account, cause);\n  const { balance } = account.account;\n  if (balance < cost)',
  ]),
  mutation('points that last longest are spent first', [
    lots,
    '[...preferred, ...ledger.lots]',
    '[...preferred, ...ledger.lots.toReversed()]',
  ]),
  mutation('undoing takes from the first lot, not from its own', [
    undo,
    'take(ledger, entry.seq, covered, expiresAt);',
    'take(ledger, entry.seq, covered);',
  ]),
  mutation('what is given back does not pay what is owed', [
    undo,
    'undone.uses, -undone.points - Math.min(owed, -undone.points));',
    'undone.uses, -undone.points);',
  ]),
  mutation('rewards stay when the stamps that unlocked them are undone', [
    undo,
    'cancelRewards(ledger, cause, undone.points - paid);',
    '',
  ]),
  mutation('points that have expired are taken a second time when they are undone', [
    undo,
    'const amount = Math.min(left, lot.expired);',
    'const amount = 0;',
  ]),
  mutation('what expired later than undone points does not pay for them', [
    undo,
    'lot.expiresAt < expiresAt) return [];',
    'lot.expiresAt !== expiresAt) return [];',
  ]),
  mutation('what expired earlier than undone points pays for them', [
    undo,
    'if (expiresAt === null || lot.expiresAt < expiresAt) return [];',
    'if (expiresAt === null) return [];',
  ]),
  mutation('points that have expired cover two undone earns of a lot', [ledger, 'lot.lapsed += points;', '']),
  mutation('undoing gives back all that has expired of a lot', [
    undo,
    'const amount = Math.min(left, lot.expired);',
    'const amount = lot.expired;',
  ]),
  mutation('rewards are cancelled for points that have expired', [
    undo,
    'cancelRewards(ledger, cause, undone.points - paid);',
    'cancelRewards(ledger, cause, undone.points);',
  ]),
  mutation('what a refund takes of an order is kept as one earn undone', [
    undo,
    'return { entry: takeAway(ledger, cause, undone, parts, null), taken: parts.taken };',
    'return { entry: takeAway(ledger, cause, undone, parts, { seq: 1, entryId: null } as never), taken: parts.taken };',
  ]),
  mutation("an order's earn can be undone in addition to its refunds", [
    reverse,
    'if (row.orderId !== null && program.currency === null) {',
    'if (false) {',
  ]),
  mutation('an award unlocks one reward at most', [
    ledger,
    'for (let turn = 0; turn < most && ledger.account.balance >= threshold; turn++) {',
    'if (ledger.account.balance >= threshold) {',
  ]),
  mutation("a day's limit looks only at what was earned before", [
    earn,
    'today + points > perDay',
    'today >= perDay',
  ]),
  mutation('points expire by the calendar of UTC', [
    'src/passes/programs/ledger-rules.ts',
    'dayEnd(timezone, moment, months)',
    "dayEnd('UTC', moment, months)",
  ]),
  mutation('a paused program takes awards', [
    'src/loyalty/ledger-item.ts',
    "if (program.status === 'active') return;",
    "if (program.status !== 'not_launched') return;",
  ]),
];

/** Bugs that calls one after the other do not show. */
const atOnce: readonly Mutation[] = [
  mutation('two processes may both count a key', [
    claims,
    "mayBeTaken ? 'on conflict do nothing' : ''",
    "'on conflict do nothing'",
  ]),
  mutation(
    'two calls with a key count when they share a transaction',
    ['src/engine/batch.ts', 'const names = [...call.claims.map(', 'const names = [...[].map('],
    [claims, "mayBeTaken ? 'on conflict do nothing' : ''", "'on conflict do nothing'"],
  ),
  mutation(
    'no transaction waits for a card that another process has locked',
    [
      'src/loyalty/targets.sql.ts',
      'for no key update\n    ) as card\n    left join',
      ') as card\n    left join',
    ],
    ['src/loyalty/targets.sql.ts', 'for no key update\n    ) as account on true', ') as account on true'],
    ['src/kit/db/sql.ts', "then '1' else", "or true then '1' else"],
  ),
].map((one) => ({ ...one, width: 8 }));

export const mutations = [...seven, ...more, ...atOnce];

function mutation(
  name: string,
  ...edits: (readonly [file: string, text: string, replacement: string])[]
): Mutation {
  return { name, width: 1, edits: edits.map(([file, text, replacement]) => ({ file, text, replacement })) };
}
