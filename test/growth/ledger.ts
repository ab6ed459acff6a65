import { chance, idOf, type Step, until } from './shape.ts';

/*
 * Ledgers in closed form: what an account has after entry number `seq` follows from the number alone, so that a set of
 * any size is written at once. Every five entries of POINTS earn four times 10 and redeem 30; of STAMPS they earn 3 stamps,
 * which unlock a reward, and use it. What is taken comes from the three oldest earns that are left.
 */
const isEarn = 'case when in_points then seq % 5 <> 0 else seq % 5 between 1 and 3 end';
const isTake = 'seq % 5 = case when in_points then 0 else 4 end';
const unit = '(case when in_points then 10 else 1 end)';
const balance = `(case when in_points then 10 * (seq / 5 + seq % 5) else (array[0, 1, 2, 3, 0])[seq % 5 + 1] end)`;
/** Earns up to entry `seq`, and three for each time that something was taken. */
const earns = (seq: string) =>
  `(case when in_points then ${seq} - ${seq} / 5 else ${seq} / 5 * 3 + least(${seq} % 5, 3) end)`;
const taken = (seq: string) => `(case when in_points then ${seq} / 5 else (${seq} + 1) / 5 end * 3)`;
/** The entry of earn number `earn`. */
const seqOf = (earn: string) =>
  `(case when in_points then ${earn} + (${earn} - 1) / 4 else ${earn} + (${earn} - 1) / 3 * 2 end)`;
const momentOf = (seq: string) =>
  `(created_at + (${until} - created_at) * (${seq} / (entries + 1)::double precision))`;
const lastsUntil = (seq: string) =>
  `case when expiry_months is null then 'infinity'
    else date_trunc('day', ${momentOf(seq)}, 'UTC') + make_interval(months => expiry_months) end`;
/** A third of what is earned comes from orders; of the rest, every other has a reference of its caller's. */
const draw = 'n * 1000003 + seq';
const isOrder = `(${isEarn} and ${chance(draw, 30, 3)} = 0)`;
const hasReference = `(not ${isOrder} and ${isEarn} and ${chance(draw, 31, 2)} = 0)`;

const accounts = 'grown_cards where account_id is not null';
const entries = `(select * from ${accounts}) as c cross join lateral generate_series(1, entries) seq`;

/** The rows that are added with each card that takes part in a program. */
export const ledgerSteps: readonly Step[] = [
  {
    table: 'loyalty_accounts',
    insert: `(workspace_id, account_id, program_id, instance_id, seq, balance, lifetime_points, pending_rewards,
        next_expiry_at, last_earned_at, created_at)
      select workspace_id, account_id, program_id, instance_id, entries, ${balance}, ${earns('entries')} * ${unit},
        case when not in_points and seq % 5 = 4 then 1 else 0 end,
        case when ${earns('entries')} > ${taken('entries')} and expiry_months is not null
          then ${lastsUntil(seqOf(`(${taken('entries')} + 1)`))} end,
        ${momentOf('entries')}, created_at
      from (select *, entries as seq from ${accounts}) as c`,
  },
  {
    table: 'loyalty_entries',
    insert: `(workspace_id, account_id, seq, entry_id, program_id, instance_id, kind, points, balance, expires_at,
        external_ref, partner_id, order_id, actor, occurred_at, created_at)
      select workspace_id, account_id, seq, ${idOf('at', "'entry' || n || '-' || seq")}, program_id, instance_id,
        case when ${isEarn} then 'earn' when not in_points and seq % 5 = 4 then 'unlock' else 'redeem' end,
        case when ${isEarn} then ${unit} when ${isTake} then -3 * ${unit} else 0 end, ${balance},
        case when ${isEarn} then ${lastsUntil('seq')} end,
        case when ${hasReference} then 'ref-' || n || '-' || seq end,
        case when ${isEarn} then partner_id end,
        case when ${isOrder} then 'order-' || n || '-' || seq end, 'key_' || repeat('0', 26), at, at
      from ${entries} cross join lateral (select ${momentOf('seq')} as at) as t`,
  },
  {
    table: 'loyalty_lots',
    insert: `(workspace_id, account_id, expires_at, original, remaining)
      select workspace_id, account_id, expires_at, sum(${unit}),
        coalesce(sum(${unit}) filter (where earn > ${taken('entries')}), 0)
      from (select * from ${accounts}) as c cross join lateral generate_series(1, ${earns('entries')}) earn
      cross join lateral (select ${lastsUntil(seqOf('earn'))} as expires_at) as t
      group by workspace_id, account_id, expires_at`,
  },
  {
    table: 'loyalty_lot_uses',
    insert: `(workspace_id, account_id, seq, expires_at, amount)
      select workspace_id, account_id, seq, expires_at, sum(${unit})
      from ${entries}
      cross join lateral generate_series(${taken('seq')} - 2, ${taken('seq')}) earn
      cross join lateral (select ${lastsUntil(seqOf('earn'))} as expires_at) as t
      where ${isTake}
      group by workspace_id, account_id, seq, expires_at`,
  },
  {
    table: 'rewards',
    insert: `(workspace_id, account_id, seq, title, threshold, status, closed_seq)
      select workspace_id, account_id, seq, 'Free coffee', 3, case when seq < entries then 'redeemed' else 'pending' end,
        case when seq < entries then seq + 1 end
      from ${entries} where not in_points and seq % 5 = 4`,
  },
  {
    table: 'operation_claims',
    insert: `(workspace_id, operation, key, fingerprint, request_id, status, body)
      select workspace_id, 'earnPoints', 'ref-' || n || '-' || seq, sha256(uuid_send(account_id)), md5(n::text), 200,
        (select string_agg(md5(n || 'answer' || part), '') from generate_series(1, 10) part)
      from ${entries} where ${hasReference}`,
  },
  {
    table: 'orders',
    insert: `(workspace_id, source, order_id, pass_id, currency, paid_version, paid_total, latest_version, latest_total,
        placed_at, instance_id, issued, account_id, rule, points_expire_at, points, credited, created_at, updated_at)
      select workspace_id, store_id, 'order-' || n || '-' || seq, pass_id, 'EUR', 1, 1000, 1, 1000, at, instance_id, seq = 1,
        account_id, json_build_object('perCurrencyUnit', 0, 'perOrder', ${unit}, 'minOrder', null), ${lastsUntil('seq')}, ${unit}, ${unit}, at, at
      from ${entries} cross join lateral (select ${momentOf('seq')} as at) as t where ${isOrder}`,
  },
  {
    table: 'order_refunds',
    insert: `(workspace_id, source, order_id, refund_id, amount, currency, created_at)
      select workspace_id, store_id, 'order-' || n || '-' || seq, 'refund-1', 5, 'EUR', ${momentOf('seq')}
      from ${entries} where ${isOrder} and ${chance(draw, 32, 20)} = 0`,
  },
];
