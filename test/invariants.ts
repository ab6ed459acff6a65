import assert from 'node:assert/strict';
import type { TestApp } from './harness.ts';
import { operationOf } from './ledger/operation-of.ts';

/** Fails when what the database keeps twice differs, or when something was left half done; names each row. */
export async function assertInvariants(sql: TestApp['sql']): Promise<void> {
  for (const [rule, violations] of Object.entries(rules)) assert.deepEqual(await sql(violations), [], rule);
}

/** Each query finds what breaks its rule. Tables are joined within their workspace: a cluster can do nothing else. */
const rules = {
  'the counts of a pass are those of its cards and codes': `
    select p.pass_id, counted.*, found.*
    from passes p
    left join lateral (
      select coalesce(sum(issued), 0) as issued, coalesce(sum(voided), 0) as voided,
        coalesce(sum(pooled), 0) as pooled, coalesce(sum(assigned), 0) as assigned
      from pass_counters c where c.workspace_id = p.workspace_id and c.pass_id = p.pass_id
    ) as counted on true
    left join lateral (
      select count(*) as cards, count(*) filter (where status = 'voided') as voided_cards
      from instances i where i.workspace_id = p.workspace_id and i.pass_id = p.pass_id
    ) as found on true
    left join lateral (
      select count(*) as codes, count(instance_id) as assigned_codes
      from pool_barcodes b where b.workspace_id = p.workspace_id and b.pass_id = p.pass_id
    ) as pool on true
    where (issued, voided, pooled, assigned) <> (cards, voided_cards, codes, assigned_codes)`,

  'a holder is current exactly while the card is active': `
    select i.instance_id, i.status, h.current
    from instances i join holders h using (workspace_id, instance_id)
    where (h.current is true) <> (i.status = 'active')`,

  'nothing of a person is left on an erased card': `
    select i.instance_id
    from instances i left join holders h using (workspace_id, instance_id)
    where i.erased_at is not null
      and (h.instance_id is not null or i.status <> 'voided' or i.fields <> '{}' or i.metadata <> '{}'
        or exists (
          select from orders o
          where o.workspace_id = i.workspace_id and o.instance_id = i.instance_id and o.items is not null
        )
        or exists (
          select from loyalty_entries e
          where e.workspace_id = i.workspace_id and e.instance_id = i.instance_id and e.reason is not null
        ))`,

  'what the ledger has of orders is what their entries say': `
    select o.account_id, o.order_id, o.credited, e.points
    from (
      select workspace_id, account_id, order_id, sum(credited) as credited
      from orders where account_id is not null group by 1, 2, 3
    ) as o
    left join (
      select workspace_id, account_id, order_id, sum(points) as points
      from loyalty_entries join programs using (workspace_id, program_id)
      -- money is paid for orders, and earned by none
      where order_id is not null and currency is null group by 1, 2, 3
    ) as e using (workspace_id, account_id, order_id)
    where o.credited <> coalesce(e.points, 0)`,

  'an order has no more points than the ledger, and with points it has a card, a rule and an account': `
    select order_id, points, credited, instance_id, account_id, rule
    from orders
    where points < 0 or points > credited
      or (credited > 0 and (instance_id is null or account_id is null or rule is null))
      or (rule is null) <> (instance_id is null)`,

  'a pass has one sweep under way at most, and an address one invitation to it': `
    select workspace_id, pass_id::text, count(*)
    from sweeps where status = 'running' group by 1, 2 having count(*) > 1
    union all
    select workspace_id, pass_id || encode(email_hash, 'hex'), count(*)
    from invites group by 1, 2 having count(*) > 1`,

  'an assigned code is on the card that it was assigned to': `
    select b.barcode, i.instance_id
    from pool_barcodes b left join instances i using (workspace_id, instance_id)
    where b.instance_id is not null and i.barcode is distinct from b.barcode`,

  'a card whose barcode is in the pool has it assigned, unless it brought it before': `
    select i.instance_id, i.barcode
    from instances i join pool_barcodes b using (workspace_id, pass_id, barcode)
    where b.instance_id is not null and b.instance_id <> i.instance_id`,

  'no code waits behind the front of its pool': `
    select b.barcode, b.seq, p.pool_from_seq
    from passes p join pool_barcodes b using (workspace_id, pass_id)
    where b.instance_id is null and b.seq < p.pool_from_seq`,

  'a pool that is marked low is low; the mark of another has as many codes behind it as the pool is low at': `
    select p.pass_id, p.pool_low_at, p.pool_low_seq, p.pool_low_since, c.*
    from passes p
    cross join lateral (
      select count(*) as available, count(*) filter (where b.seq > p.pool_low_seq) as behind
      from pool_barcodes b
      where b.workspace_id = p.workspace_id and b.pass_id = p.pass_id and b.instance_id is null
    ) as c
    where p.pool_low_since is not null and (c.available > p.pool_low_at or p.pool_low_seq is not null)
      or p.pool_low_since is null and p.pool_low_seq is null and c.available > p.pool_low_at
      or p.pool_low_seq is not null and (c.behind <> p.pool_low_at or c.available <= p.pool_low_at)`,

  'every card was issued once': `
    select i.instance_id, count(e.event_id)
    from instances i left join instance_events e
      on e.workspace_id = i.workspace_id and e.instance_id = i.instance_id and e.kind in ('instance.issued', 'issued')
    group by i.instance_id having count(e.event_id) <> 1`,

  'a partner that a card or an entry names is one of its workspace': `
    select named.*
    from (
      select workspace_id, partner_id from instances union select workspace_id, partner_id from loyalty_entries
    ) as named left join partners p using (workspace_id, partner_id)
    where named.partner_id is not null and p.partner_id is null`,

  'every claim has its answer': 'select operation, key from operation_claims where status is null',

  'a credit account is the sum of its entries': `
    select a.workspace_id, a.balance, a.reserved, a.spent, e.*
    from credit_accounts a
    cross join lateral (
      select coalesce(sum(amount), 0) as balance, coalesce(sum(reserved), 0) as reserved,
        coalesce(-sum(amount + reserved) filter (where kind not in ('grant', 'correct')), 0) as spent, count(*)
      from credit_entries e where e.workspace_id = a.workspace_id
    ) as e
    where (a.balance, a.reserved, a.spent, a.seq) is distinct from (e.balance, e.reserved, e.spent, e.count)`,

  'reserved credits are those of pushes under way and of messages': `
    select a.workspace_id, a.reserved, p.credits as pushes, r.credits as rollouts
    from credit_accounts a
    cross join lateral (
      select coalesce(sum(credits), 0) as credits from pushes p where p.workspace_id = a.workspace_id
    ) as p
    cross join lateral (
      select coalesce(sum(credits), 0) as credits from rollouts r where r.workspace_id = a.workspace_id
    ) as r
    where a.reserved <> p.credits + r.credits`,

  'a push that nothing is left to do for holds no credits, and is kept for a reason only': `
    select * from pushes
    where not (apple or google or web) and (credits > 0 or (skipped_at is null and not repaid))`,

  'no device waits for a rollout that has ended': `
    select d.device_id from apple_devices d join rollouts r using (workspace_id, rollout_id) where r.stage = 'finished'`,

  'a card counts the devices that it is registered on, and is installed while any wallet holds it': `
    select i.instance_id, i.apple_wallets, r.count, i.installed
    from instances i
    cross join lateral (
      select count(*) from apple_registrations r
      where r.workspace_id = i.workspace_id and r.instance_id = i.instance_id
    ) as r
    where i.apple_wallets <> r.count or i.installed <> (i.apple_wallets + i.google_wallets + i.web_wallets > 0)`,

  'a card counts the holder who keeps it at Google': `
    select i.instance_id, i.google_wallets, o.saved
    from instances i left join google_objects o using (workspace_id, instance_id)
    where i.google_wallets <> coalesce(o.saved, false)::int`,

  'a pass counts its installed cards': `
    select p.pass_id, c.installed, i.count
    from passes p
    cross join lateral (
      select coalesce(sum(installed), 0) as installed from pass_counters c
      where c.workspace_id = p.workspace_id and c.pass_id = p.pass_id
    ) as c
    cross join lateral (
      select count(*) from instances i
      where i.workspace_id = p.workspace_id and i.pass_id = p.pass_id and i.installed
    ) as i
    where c.installed <> i.count`,

  'a device is known exactly while it holds a card, and no registration is ahead of its device': `
    select d.device_id, r.device_id, d.tag, r.tag
    from apple_devices d full join apple_registrations r using (workspace_id, device_id)
    where d.device_id is null or r.device_id is null or r.tag > d.tag`,

  'a device names the workspaces that it has cards of': `
    select * from (
      select device_library_identifier, pass_type_identifier, workspace_id, true as is_known from apple_devices
    ) as d
    full join (
      select device_library_identifier, pass_type_identifier, workspace_id, true as is_named
      from apple_device_workspaces, unnest(workspace_ids) as workspace_id
    ) as w using (device_library_identifier, pass_type_identifier, workspace_id)
    where (workspace_id is not null and (d.is_known is null or w.is_named is null))`,

  'I1, I2: entries are numbered without a gap, each continues the balance, and the account stands where the last does': `
    select account_id, a.seq, a.balance, e.*
    from loyalty_accounts a
    full join (
      select workspace_id, account_id, count(*) as count, sum(points) as sum,
        bool_and(seq = place and balance = total) as is_chained
      from (
        select workspace_id, account_id, seq, points, balance,
          row_number() over account as place, sum(points) over account as total
        from loyalty_entries window account as (partition by workspace_id, account_id order by seq)
      ) as running
      group by workspace_id, account_id
    ) as e using (workspace_id, account_id)
    where a.seq is null or (a.seq, a.balance) <> (coalesce(e.count, 0), coalesce(e.sum, 0)) or not e.is_chained`,

  'I3, I4: a balance lies in the lots, and an account with a debt has none': `
    select account_id, a.balance, l.remaining
    from loyalty_accounts a
    full join (
      select workspace_id, account_id, sum(remaining) as remaining from loyalty_lots group by 1, 2
    ) as l using (workspace_id, account_id)
    where greatest(a.balance, 0) <> coalesce(l.remaining, 0) or a.balance is null`,

  'I5: what a lot lacks was taken by entries': `
    select account_id, expires_at, l.original, l.remaining, u.used
    from loyalty_lots l
    full join (
      select workspace_id, account_id, expires_at, sum(amount) as used from loyalty_lot_uses group by 1, 2, 3
    ) as u using (workspace_id, account_id, expires_at)
    where l.original is null or l.original - l.remaining <> coalesce(u.used, 0)`,

  'I5: what has expired of a lot was taken by entries that say so, without what these have given back': `
    select account_id, expires_at, l.expired, u.expired as used
    from loyalty_lots l
    full join (
      select u.workspace_id, u.account_id, u.expires_at, sum(u.amount) as expired
      from loyalty_lot_uses u
      join loyalty_entries e using (workspace_id, account_id, seq)
      where e.kind = 'expire'
      group by 1, 2, 3
    ) as u using (workspace_id, account_id, expires_at)
    where l.expired is distinct from coalesce(u.expired, 0)`,

  'I7: an entry is undone once at most, and undoes an earn or a redeem before it': `
    select r.account_id, r.reversal_of, array_agg(r.seq) as reversals
    from loyalty_entries r
    left join loyalty_entries e
      on e.workspace_id = r.workspace_id and e.account_id = r.account_id and e.seq = r.reversal_of
    join programs p on p.workspace_id = r.workspace_id and p.program_id = r.program_id
    where r.reversal_of is not null
      -- refunds of an order undo a part of what it has earned
      or (r.kind = 'reversal' and r.order_id is null)
    group by r.workspace_id, r.account_id, r.reversal_of
    -- a charge of money may be given back in parts
    having (count(*) > 1 and (min(p.currency) is null or sum(r.points) > -min(e.points) or min(r.points) <= 0))
      or bool_or(coalesce(r.kind <> 'reversal' or e.seq >= r.seq or e.kind not in ('earn', 'redeem'), true))`,

  'I8: a key has one effect in the ledger, and exactly when its answer is kept': `
    select operation, key, c.status, e.count
    from (
      select * from operation_claims
      where operation in ('earnPoints', 'redeemReward', 'adjustPoints', 'reverseEntry', 'loadValue', 'chargeValue',
        'refundValue', 'transferValue')
        -- that of an item without one, by the key of its batch and its place
        and key not like e'%\\t%'
    ) as c
    full join (
      select e.workspace_id, ${operationOf} as operation, external_ref as key, count(*)
      from loyalty_entries e join programs p using (workspace_id, program_id)
      where external_ref is not null and kind <> 'import' and (order_id is null or currency is not null)
        -- what goes from one card to another is two entries
        and (points <= 0 or ${operationOf} <> 'transferValue')
        -- the claim of a card that is sold with money is that of its issue
        and ${operationOf} not like 'issue%'
      group by 1, 2, 3
    ) as e using (workspace_id, operation, key)
    where c.status is null or e.count is distinct from 1`,

  'an account counts its pending rewards': `
    select account_id, a.pending_rewards, r.count
    from loyalty_accounts a
    full join (
      select workspace_id, account_id, count(*) from rewards where status = 'pending' group by 1, 2
    ) as r using (workspace_id, account_id)
    where coalesce(a.pending_rewards, -1) <> coalesce(r.count, 0)`,

  'lifetime points are what was earned, adjusted and imported, without what was undone': `
    select account_id, a.lifetime_points, e.sum
    from loyalty_accounts a
    left join (
      select workspace_id, account_id, sum(points) from loyalty_entries
      where kind in ('earn', 'adjust', 'import') or kind = 'reversal' and points < 0
      group by 1, 2
    ) as e using (workspace_id, account_id)
    where a.lifetime_points <> coalesce(e.sum, 0)`,

  'an account knows when the next of its points expire': `
    select account_id, a.next_expiry_at, l.next
    from loyalty_accounts a
    left join (
      select workspace_id, account_id, min(expires_at) as next
      from loyalty_lots where remaining > 0 and expires_at < 'infinity' group by 1, 2
    ) as l using (workspace_id, account_id)
    where a.next_expiry_at is distinct from l.next`,

  'the totals of a program are those of its entries': `
    select program_id, t.*, e.*
    from (
      select workspace_id, program_id, sum(issued) as issued, sum(redeemed) as redeemed, sum(expired) as expired,
        sum(reversed) as reversed, sum(adjusted) as adjusted, sum(outstanding) as outstanding
      from program_totals group by 1, 2
    ) as t
    full join (
      select workspace_id, program_id,
        coalesce(sum(points) filter (where kind = 'earn'), 0) as issued,
        coalesce(-sum(points) filter (
          where kind in ('redeem', 'unlock', 'cancel') or kind = 'reversal' and points > 0
        ), 0) as redeemed,
        coalesce(-sum(points) filter (where kind = 'expire'), 0) as expired,
        coalesce(-sum(points) filter (where kind = 'reversal' and points < 0), 0) as reversed,
        coalesce(sum(points) filter (where kind in ('adjust', 'correction', 'import')), 0) as adjusted,
        sum(points) as outstanding
      from loyalty_entries group by 1, 2
    ) as e using (workspace_id, program_id)
    where (t.issued, t.redeemed, t.expired, t.reversed, t.adjusted, t.outstanding)
      is distinct from (e.issued, e.redeemed, e.expired, e.reversed, e.adjusted, e.outstanding)`,
} as const;
