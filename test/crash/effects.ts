import { encodeId } from '../../src/kit/ids.ts';
import type { Json } from '../client.ts';
import type { TestApp } from '../harness.ts';
import type { Operation } from './calls.ts';
import { type Acknowledged, type History, nameOf } from './history.ts';

export type Sql = TestApp['sql'];
export type Figures = Readonly<Record<string, unknown>>;

/** What the database says was done, by the name of the call. What is there twice is a violation. */
export async function effectsOf(sql: Sql, history: History): Promise<Map<string, Figures>> {
  const effects = new Map<string, Figures>();
  for (const [name, figures] of [...(await ledgerEffects(sql, history)), ...(await otherEffects(sql))]) {
    if (effects.has(name)) history.violate('doubled', `${name} is there twice`, name);
    effects.set(name, figures);
  }
  return effects;
}

/** What the database must say of the effect of an answer. */
export function figuresOf({ call, text }: Acknowledged): Figures {
  const body: Json = JSON.parse(text);
  switch (call.operation) {
    case 'issueInstance':
      return { instanceId: body.instanceId, barcode: body.barcode };
    case 'addCredits':
      return { amount: call.body.amount, balance: body.balance };
    case 'updateFields':
      return { instanceId: body.instanceId };
    case 'createPass':
      return { passId: body.passId };
    case 'createApiKey':
      return { keyId: body.keyId };
    case 'processOrder':
    case 'refundOrder':
    case 'cancelOrder':
      return {};
  }
  const { entryId, instanceId, programId, balance, pendingRewards } = body;
  const state = { entryId, instanceId, programId, balance, pendingRewards };
  if (call.operation === 'redeemReward') return { ...state, spent: body.spent };
  return { ...state, points: body.points, lifetimePoints: body.lifetimePoints };
}

interface EntryRow {
  readonly accountId: string;
  readonly programId: string;
  readonly instanceId: string;
  readonly entryId: string;
  readonly seq: number;
  readonly kind: string;
  readonly points: number;
  readonly balance: number;
  readonly ref: string | null;
  readonly reversalOf: number | null;
  readonly mode: string;
}

const operations: Readonly<Record<string, Operation>> = {
  earn: 'earnPoints',
  redeem: 'redeemReward',
  adjust: 'adjustPoints',
  correction: 'adjustPoints',
  reversal: 'reverseEntry',
};

/** Goes through every account from its first entry, adding up by itself what the answers must have said. */
async function ledgerEffects(sql: Sql, history: History): Promise<[string, Figures][]> {
  const rows = await sql<EntryRow>(`
    select account_id as "accountId", e.program_id as "programId", instance_id as "instanceId",
      entry_id as "entryId", seq::int, kind, points::int, balance::int, external_ref as ref,
      reversal_of::int as "reversalOf", mode
    from loyalty_entries e join programs using (workspace_id, program_id)
    where account_id not in (select account_id from loyalty_entries where order_id is not null)
    order by account_id, seq`);
  const effects: [string, Figures][] = [];
  let account: Account = nothing('');
  let kinds: string[] = [];
  for (const row of rows) {
    if (row.accountId !== account.accountId) [account, kinds] = [nothing(row.accountId), []];
    account = after(account, row, kinds[(row.reversalOf ?? 0) - 1]);
    kinds.push(row.kind);
    const where = `entry ${row.seq} of ${row.accountId}`;
    if (row.seq !== kinds.length || row.balance !== account.balance || row.balance < 0)
      history.violate('books', `${where} says ${row.balance}; the entries say ${account.balance}`);
    const { accountId: _, ...state } = account;
    if (row.ref === null) {
      // What a call has brought about by itself: rewards that it unlocks follow its entry.
      const last = effects.at(-1);
      if (row.kind === 'unlock' && last !== undefined) last[1] = { ...last[1], ...state };
      else if (row.kind !== 'cancel') history.violate('unasked', `${where} has no call`);
      continue;
    }
    const name = nameOf({ operation: operations[row.kind] ?? 'addCredits', ref: row.ref });
    effects.push([name, { ...presented(row), ...state }]);
  }
  return effects.map(([name, effect]) => [name, comparable(name, effect)]);
}

interface Account {
  readonly accountId: string;
  readonly balance: number;
  readonly lifetimePoints: number;
  readonly pendingRewards: number;
}

function nothing(accountId: string): Account {
  return { accountId, balance: 0, lifetimePoints: 0, pendingRewards: 0 };
}

function after(account: Account, { kind, points, mode }: EntryRow, undone: string | undefined): Account {
  const isGain = ['earn', 'adjust'].includes(kind) || (kind === 'reversal' && points < 0);
  const isReward = mode === 'STAMPS' && (kind === 'redeem' || undone === 'redeem');
  const rewards = { unlock: 1, cancel: -1, redeem: isReward ? -1 : 0, reversal: isReward ? 1 : 0 };
  return {
    ...account,
    balance: account.balance + points,
    lifetimePoints: account.lifetimePoints + (isGain ? points : 0),
    pendingRewards: account.pendingRewards + (rewards[kind as keyof typeof rewards] ?? 0),
  };
}

function presented({ entryId, instanceId, programId, points }: EntryRow) {
  return {
    entryId: encodeId('entry', entryId),
    instanceId: encodeId('inst', instanceId),
    programId: encodeId('prog', programId),
    points,
  };
}

/** As the answers of the operation say it. */
function comparable(name: string, effect: Figures): Figures {
  if (!name.startsWith('redeemReward')) return effect;
  const { points, lifetimePoints: _, ...state } = effect;
  return { ...state, spent: 0 - Number(points) };
}

/** Cards, credits, changed fields, passes, keys and orders: a row each. */
async function otherEffects(sql: Sql): Promise<[string, Figures][]> {
  const named = async <Row extends { ref: string }>(
    operation: Operation,
    text: string,
    figures: (row: Row) => Figures,
  ): Promise<[string, Figures][]> =>
    (await sql<Row>(text)).map((row) => [nameOf({ operation, ref: row.ref }), figures(row)]);
  const nothingMore = () => ({});
  const some = await Promise.all([
    named<{ ref: string; id: string; barcode: string }>(
      'issueInstance',
      `select e.detail->>'key' as ref, instance_id as id, barcode
       from instance_events e join instances i using (workspace_id, instance_id)
       where e.kind = 'instance.issued' and e.detail->>'key' is not null`,
      ({ id, barcode }) => ({ instanceId: encodeId('inst', id), barcode }),
    ),
    named<{ ref: string; amount: number; balance: number }>(
      'addCredits',
      `select external_ref as ref, amount::int, balance::int
       from credit_entries where external_ref is not null`,
      ({ amount, balance }) => ({ amount, balance }),
    ),
    named<{ ref: string; id: string }>(
      'updateFields',
      `select detail->>'key' as ref, instance_id as id from instance_events
       where detail->>'op' = 'updateFields' and detail->>'key' is not null`,
      ({ id }) => ({ instanceId: encodeId('inst', id) }),
    ),
    named<{ ref: string; id: string }>(
      'createPass',
      "select title as ref, pass_id as id from passes where type = 'coupon'",
      ({ id }) => ({ passId: encodeId('pass', id) }),
    ),
    named<{ ref: string; id: string }>(
      'createApiKey',
      "select name as ref, key_id as id from api_keys where access = 'read'",
      ({ id }) => ({ keyId: encodeId('key', id) }),
    ),
    named('processOrder', 'select order_id as ref from orders where paid_total is not null', nothingMore),
    named('refundOrder', 'select order_id as ref from order_refunds', nothingMore),
    named('cancelOrder', 'select order_id as ref from orders where cancelled', nothingMore),
  ]);
  return some.flat();
}
