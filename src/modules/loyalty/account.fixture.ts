import type { Client, Json } from '../../../test/client.ts';
import { makePass } from '../../../test/factories.ts';
import type { TestApp } from '../../../test/harness.ts';
import { decodeId, newUuidV7 } from '../../kit/ids.ts';

const stamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };

/** A published pass with a program, launched unless told. */
export async function makeProgram(
  client: Client,
  program: object = stamps,
  { design = {}, launched = true }: { design?: object; launched?: boolean } = {},
): Promise<{ pass: Json; program: Json }> {
  const pass = await makePass(client, design);
  const { body, status, text } = await client.post('/loyalty/programs', { passId: pass.passId, ...program });
  if (status !== 201) throw new Error(text);
  if (!launched) return { pass, program: body };
  const { body: active } = await client.patch(`/loyalty/programs/${body.programId}`, { status: 'active' });
  return { pass, program: active };
}

/** Sets what a card has by the rules of the ledger's tables; a new state of the card, as after an award. */
export async function setAccount(
  app: TestApp,
  card: Json,
  { balance, pendingRewards = 0, expiresAt = null }: AccountState,
): Promise<void> {
  const instanceId = decodeId('inst', card.instanceId);
  await app.sql(
    `with card as (
       update instances i
       set revision = i.revision + 1, pass_revision = p.revision, modified_at = interval '1 second'
         + greatest(i.modified_at + (p.revision - i.pass_revision) * interval '1 second', p.modified_at)
       from passes p
       where i.instance_id = $1 and p.workspace_id = i.workspace_id and p.pass_id = i.pass_id
       returning i.workspace_id, i.instance_id, p.program_id
     ), account as (
       insert into loyalty_accounts as a (workspace_id, account_id, program_id, instance_id, seq, balance,
         lifetime_points, pending_rewards, next_expiry_at, created_at)
       select workspace_id, $2, program_id, instance_id, 1, $3, $3, $4, $5, now() from card
       on conflict (workspace_id, instance_id) do update set seq = a.seq + 1, balance = excluded.balance,
         pending_rewards = excluded.pending_rewards, next_expiry_at = excluded.next_expiry_at
       returning *
     ), entry as (
       insert into loyalty_entries (workspace_id, account_id, seq, entry_id, program_id, instance_id, kind, points,
         balance, actor, occurred_at, created_at)
       select a.workspace_id, a.account_id, a.seq, $6, a.program_id, a.instance_id, 'adjust',
         a.balance - coalesce(e.balance, 0), a.balance, 'test', now(), now()
       from account a
       left join loyalty_entries e on e.account_id = a.account_id and e.seq = a.seq - 1
     )
     insert into loyalty_lots (workspace_id, account_id, expires_at, original, remaining)
     select workspace_id, account_id, coalesce($5, 'infinity'::timestamptz), $3, $3 from account where $3 > 0
     on conflict (workspace_id, account_id, expires_at)
       do update set original = excluded.original, remaining = excluded.remaining`,
    [instanceId, newUuidV7(), balance, pendingRewards, expiresAt, newUuidV7()],
  );
}

interface AccountState {
  readonly balance: number;
  readonly pendingRewards?: number;
  /** When all of it expires. */
  readonly expiresAt?: string | null;
}
