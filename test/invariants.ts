import assert from 'node:assert/strict';
import type { TestApp } from './harness.ts';

/** Fails when what the database keeps twice differs, or when something was left half done; names each row. */
export async function assertInvariants(sql: TestApp['sql']): Promise<void> {
  for (const [rule, violations] of Object.entries(rules)) assert.deepEqual(await sql(violations), [], rule);
}

/** Each query finds what breaks its rule. */
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
      and (h.instance_id is not null or i.status <> 'voided' or i.fields <> '{}' or i.metadata <> '{}')`,

  'an assigned code is on the card that it was assigned to': `
    select b.barcode, i.instance_id
    from pool_barcodes b left join instances i using (workspace_id, instance_id)
    where b.instance_id is not null and i.barcode is distinct from b.barcode`,

  'a card whose barcode is in the pool has it assigned, unless it brought it before': `
    select i.instance_id, i.barcode
    from instances i join pool_barcodes b using (workspace_id, pass_id, barcode)
    where b.instance_id is not null and b.instance_id <> i.instance_id`,

  'every card was issued once': `
    select i.instance_id, count(e.event_id)
    from instances i left join instance_events e
      on e.workspace_id = i.workspace_id and e.instance_id = i.instance_id and e.kind = 'issued'
    group by i.instance_id having count(e.event_id) <> 1`,

  'every claim has its answer': 'select operation, key from operation_claims where status is null',

  'a credit account is the sum of its entries': `
    select a.workspace_id, a.balance, a.reserved, a.spent, e.*
    from credit_accounts a
    cross join lateral (
      select coalesce(sum(amount), 0) as balance, coalesce(sum(reserved), 0) as reserved,
        coalesce(-sum(amount + reserved) filter (where kind <> 'grant'), 0) as spent, count(*)
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
    select d.device_id from apple_devices d join rollouts r using (rollout_id) where r.stage = 'finished'`,

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
    from apple_devices d full join apple_registrations r using (device_id)
    where d.device_id is null or r.device_id is null or r.tag > d.tag`,
} as const;
