import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import type { PassField, PassStatus, PassType } from '../passes/pass-row.ts';
import type { InstanceEventRow } from './events.sql.ts';

/** A card with what decides whether its wallets show its newest state. */
export interface DiagnosedCard {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly passId: string;
  readonly status: 'active' | 'voided';
  readonly addressable: boolean;
  readonly erasedAt: Date | null;
  readonly appleWallets: number;
  readonly googleWallets: number;
  readonly webWallets: number;
  readonly modifiedAt: Date;
  /** The Last-Modified of the pass file that was handed out last; null before the first. */
  readonly servedModifiedAt: Date | null;
  /** What that file was of, as `changedAt` has it. */
  readonly servedChangeAt: Date | null;
  /** The revision of the pass at modifiedAt, and the one it has now. */
  readonly seenPassRevision: number;
  readonly passRevision: number;
  readonly passModifiedAt: Date;
  readonly passStatus: PassStatus;
  readonly passType: PassType;
  readonly passFields: readonly PassField[];
}

export type DiagnosedEvent = Omit<InstanceEventRow, 'eventId'>;

/** A card by its id, whatever workspace owns it. */
export async function findDiagnosed(db: Db, instanceId: string): Promise<DiagnosedCard | undefined> {
  const { rows } = await sql<DiagnosedCard>`
    select i.workspace_id, i.instance_id, i.pass_id, i.status, i.addressable, i.erased_at, i.apple_wallets,
      i.google_wallets, i.web_wallets, greatest(i.modified_at, a.shown_at) as modified_at, i.served_modified_at, i.served_change_at,
      greatest(i.pass_revision, a.shown_pass_revision) as seen_pass_revision,
      p.revision as pass_revision, p.modified_at as pass_modified_at, p.status as pass_status, p.type as pass_type,
      p.fields as pass_fields
    from instances i
    join passes p on p.pass_id = i.pass_id and p.workspace_id = i.workspace_id
    left join loyalty_accounts a on a.instance_id = i.instance_id and a.workspace_id = i.workspace_id
    where i.instance_id = ${instanceId}
  `.execute(db);
  return rows[0];
}

/** The newest event of each kind and wallet, and the newest `reports` of what devices reported; newest first. */
export async function listNewestEvents(
  db: Db,
  card: { workspaceId: string; instanceId: string },
  reports: number,
): Promise<DiagnosedEvent[]> {
  const { rows } = await sql<DiagnosedEvent>`
    select kind, detail, created_at
    from (
      select event_id, kind, detail, created_at,
        row_number() over (partition by kind, detail ->> 'wallet' order by event_id desc) as place
      from instance_events
      where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
    ) as events
    where place <= case kind when 'device reported' then ${reports}::int else 1 end
    order by event_id desc
  `.execute(db);
  return rows;
}
