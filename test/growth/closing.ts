import { type Step, until } from './shape.ts';

/** The rows that are counted once everything else is there. */
export const closingSteps: readonly Step[] = [
  {
    table: 'program_totals',
    insert: `(workspace_id, program_id, shard, issued, redeemed, outstanding)
      select workspace_id, program_id, shard, coalesce(sum(points) filter (where kind = 'earn'), 0),
        coalesce(-sum(points) filter (where kind in ('redeem', 'unlock')), 0), sum(points)
      from (
        select workspace_id, program_id, kind, points, (hashtext(account_id::text) & 7) as shard from loyalty_entries
      ) as e
      group by workspace_id, program_id, shard`,
  },
  {
    table: 'pool_barcodes',
    insert: `(workspace_id, pass_id, barcode)
      select workspace_id, pass_id, 'FREE-' || n
      from grown_passes cross join lateral generate_series(1, 120 + cards / 3) n
      where has_pool`,
  },
  {
    table: 'pass_counters',
    insert: `(workspace_id, pass_id, shard, issued, installed, voided, pooled, assigned)
      select workspace_id, pass_id, 0, i.*, coalesce(b.pooled, 0), coalesce(b.assigned, 0)
      from grown_passes
      cross join lateral (
        select count(*), count(*) filter (where installed), count(*) filter (where status = 'voided')
        from instances i where i.workspace_id = grown_passes.workspace_id and i.pass_id = grown_passes.pass_id
      ) as i
      left join (
        select workspace_id, pass_id, count(*) as pooled, count(instance_id) as assigned from pool_barcodes group by 1, 2
      ) as b using (workspace_id, pass_id)`,
  },
  {
    // A first grant, a reserve and its settlement for each delivery, and what is under way.
    table: 'credit_entries',
    insert: `(workspace_id, seq, kind, amount, balance, reserved, created_at)
      select workspace_id, n, case when n = 1 then 'grant' when n % 2 = 0 then 'reserve' else 'settle' end,
        case when n = 1 then 1000000000 when n > deliveries * 2 + 1 then -waiting when n % 2 = 0 then -1 else 0 end,
        1000000000 - n / 2 + case when n > deliveries * 2 + 1 then 1 - waiting else 0 end,
        case when n = 1 then 0 when n > deliveries * 2 + 1 then waiting when n % 2 = 0 then 1 else -1 end,
        ${until} - (1 - n / (deliveries * 2.0 + 2)) * interval '730 days'
      from (
        select w.workspace_id, cards::bigint * 3 as deliveries, coalesce(p.waiting, 0) as waiting
        from grown_workspaces w
        left join (select workspace_id, sum(credits) as waiting from pushes group by 1) as p using (workspace_id)
      ) as account cross join lateral generate_series(1, deliveries * 2 + 2) n`,
  },
  {
    table: 'credit_accounts',
    insert: `(workspace_id, balance, reserved, spent, seq)
      select workspace_id, sum(amount), sum(reserved), -sum(amount + reserved) filter (where kind <> 'grant'), count(*)
      from credit_entries group by workspace_id`,
  },
];

/** What makes it what the service would have left. */
export const closingChanges: readonly string[] = [
  `update passes p set pool_low_seq = (
     select seq from pool_barcodes b
     where b.workspace_id = p.workspace_id and b.pass_id = p.pass_id and b.instance_id is null
     order by seq desc offset p.pool_low_at limit 1
   ) where barcode_mode = 'pool'`,
  `update passes p set pool_from_seq = coalesce((
     select min(seq) from pool_barcodes b
     where b.workspace_id = p.workspace_id and b.pass_id = p.pass_id and b.instance_id is null
   ), 0) where barcode_mode = 'pool'`,
];
