import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import { slackMs } from './devices.sql.ts';

/** A device that holds a card, without anything that identifies it. */
export interface DiagnosedDevice {
  readonly passTypeIdentifier: string;
  /** When it added the card, and when it told its push token last. */
  readonly addedAt: Date;
  readonly registeredAt: Date;
  /** When to push next; null when the device has been told everything. */
  readonly dueAt: Date | null;
  /** Whether it is its pace that says when. */
  readonly isPaced: boolean;
  /** The rollout that it waits for. */
  readonly rolloutId: string | null;
  readonly attempts: number;
  /** When Apple took a push last. */
  readonly pushedAt: Date | null;
}

/** The devices that hold a card, those that added it last first. */
export async function listDiagnosedDevices(
  db: Db,
  card: { workspaceId: string; instanceId: string },
  limit: number,
): Promise<DiagnosedDevice[]> {
  const { rows } = await sql<DiagnosedDevice>`
    select d.pass_type_identifier, r.created_at as added_at, d.registered_at, d.due_at,
      coalesce(d.due_at <= d.paced_until - ${`${slackMs} milliseconds`}::interval, false) as is_paced,
      d.rollout_id, d.attempts, d.pushed_at
    from apple_registrations r join apple_devices d using (device_id)
    where r.workspace_id = ${card.workspaceId} and r.instance_id = ${card.instanceId}
    order by r.created_at desc, r.device_id
    limit ${limit}
  `.execute(db);
  return rows;
}
