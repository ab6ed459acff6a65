import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import type { DeviceName } from './registrations.sql.ts';

/** A device has cards of so many workspaces at most: it asks each of them. */
const mostWorkspaces = 100;

/**
 * Records that a device has cards of a workspace, and gives it a position of its own. Call with the device's row there
 * locked, so that concurrent registrations cannot make it wrong. False where there are too many.
 */
export async function enterWorkspace(tx: Tx, device: DeviceName, workspaceId: string): Promise<boolean> {
  const { rowCount } = await sql`
    insert into apple_device_workspaces as d (device_library_identifier, pass_type_identifier, workspace_ids)
    values (${device.deviceLibraryIdentifier}, ${device.passTypeIdentifier}, array[${workspaceId}::uuid])
    on conflict (device_library_identifier, pass_type_identifier) do update
      set workspace_ids = case when ${workspaceId}::uuid = any(d.workspace_ids) then d.workspace_ids
        else d.workspace_ids || ${workspaceId}::uuid end
      where cardinality(array_remove(d.workspace_ids, null)) < ${mostWorkspaces}::int
        or ${workspaceId}::uuid = any(d.workspace_ids)
  `.execute(tx);
  return rowCount === 1;
}

/** Notes of all devices that have cards of a workspace which has come from another installation that they do. */
export async function enterArrived(tx: Tx, workspaceId: string): Promise<void> {
  await sql`
    insert into apple_device_workspaces as d (device_library_identifier, pass_type_identifier, workspace_ids)
    select device_library_identifier, pass_type_identifier, array[workspace_id]
    from apple_devices where workspace_id = ${workspaceId}
    order by device_library_identifier, pass_type_identifier
    on conflict (device_library_identifier, pass_type_identifier) do update
      set workspace_ids = d.workspace_ids || excluded.workspace_ids
  `.execute(tx);
}

/** Records that a device has no card of a workspace left; its position stays empty until the device has none at all. */
export async function leaveWorkspace(tx: Tx, device: DeviceName, workspaceId: string): Promise<void> {
  const isDevice = sql`device_library_identifier = ${device.deviceLibraryIdentifier}
    and pass_type_identifier = ${device.passTypeIdentifier}`;
  await sql`
    update apple_device_workspaces set workspace_ids = array_replace(workspace_ids, ${workspaceId}::uuid, null)
    where ${isDevice}
  `.execute(tx);
  await sql`
    delete from apple_device_workspaces where ${isDevice} and array_remove(workspace_ids, null) = '{}'
  `.execute(tx);
}

/** The workspaces whose cards each of some devices of one pass type has, at their places. */
export async function listWorkspacesOf(
  db: Db,
  passTypeIdentifier: string,
  deviceLibraryIdentifiers: readonly string[],
): Promise<(readonly (string | null)[])[]> {
  const { rows } = await sql<{ place: number; workspaceIds: (string | null)[] }>`
    select a.place::int, d.workspace_ids
    from unnest(${deviceLibraryIdentifiers}::text[]) with ordinality as a(device_library_identifier, place)
    cross join lateral (
      select workspace_ids from apple_device_workspaces
      where device_library_identifier = a.device_library_identifier
        and pass_type_identifier = ${passTypeIdentifier}
      limit 1
    ) as d
  `.execute(db);
  const found = new Map(rows.map(({ place, workspaceIds }) => [place, workspaceIds]));
  return deviceLibraryIdentifiers.map((_, at) => found.get(at + 1) ?? []);
}
