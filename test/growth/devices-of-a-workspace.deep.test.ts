import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formerVersion } from './former-version.ts';

/** The last migration of the version in which a device had one row for all workspaces. */
const before = '0019';

describe('the migration that gives a device a row in each workspace', async () => {
  const { sql, migrate } = await formerVersion(before);
  // A phone with cards of two workspaces, which waits for a rollout of one of them.
  const [shared] = await sql<{ id: string; other: string; rollout: string }>(`
    with phone as (
      select r.device_id, r.workspace_id, o.rollout_id
      from apple_registrations r join rollouts o using (workspace_id) order by r.device_id limit 1
    ), card as (
      select i.workspace_id, i.instance_id from instances i, phone where i.workspace_id <> phone.workspace_id limit 1
    ), added as (
      insert into apple_registrations (workspace_id, instance_id, device_id, tag, created_at)
      select card.workspace_id, instance_id, device_id, 7, '2025-12-01Z' from card, phone
    )
    update apple_devices d
    set rollout_id = phone.rollout_id, due_at = '2026-01-02Z', attempts = 3, paced_until = '2026-01-02 00:05Z'
    from phone, card where d.device_id = phone.device_id
    returning d.device_library_identifier as id, card.workspace_id as other, phone.rollout_id as rollout`);
  assert.ok(shared !== undefined);
  // One without cards.
  await sql(`
    insert into apple_devices
      (device_id, device_library_identifier, pass_type_identifier, push_token, registered_at, tag, paced_until)
    overriding system value
    values (-1, 'without cards', 'pass.example', 'aa', now(), 1, now())`);
  const devices = await sql(`
    select distinct d.device_library_identifier, d.pass_type_identifier, r.workspace_id, d.push_token, d.registered_at,
      d.tag, d.due_at, d.attempts, d.paced_until - interval '4 minutes' as push_from, d.pushed_at
    from apple_devices d join apple_registrations r using (device_id) order by 1, 2, 3`);
  const registrations = await sql(`
    select r.workspace_id, r.instance_id, d.device_library_identifier, r.tag, r.created_at
    from apple_registrations r join apple_devices d using (device_id) order by 1, 2, 3`);
  await migrate();

  it('keeps what each device was sent, and when it is due', async () => {
    const now = await sql(`
      select device_library_identifier, pass_type_identifier, workspace_id, push_token, registered_at,
        tag, due_at, attempts, push_from, pushed_at
      from apple_devices order by 1, 2, 3`);
    assert.ok(devices.length > 10);
    assert.deepEqual(now, devices);
  });

  it('keeps every card on its device', async () => {
    const now = await sql(`
      select r.workspace_id, r.instance_id, d.device_library_identifier, r.tag, r.created_at
      from apple_registrations r join apple_devices d using (device_id, workspace_id) order by 1, 2, 3`);
    assert.deepEqual(now, registrations);
  });

  it('lets a device wait for the rollouts of a workspace in that one only', async () => {
    const rows = await sql<{ workspace_id: string; rollout_id: string | null }>(
      'select workspace_id, rollout_id from apple_devices where device_library_identifier = $1',
      [shared.id],
    );
    assert.equal(rows.length, 2);
    for (const { workspace_id, rollout_id } of rows)
      assert.equal(rollout_id, workspace_id === shared.other ? null : shared.rollout);
  });

  it('says of each device in which workspaces it has cards', async () => {
    const said = await sql(`
      select device_library_identifier, pass_type_identifier, unnest(workspace_ids) as workspace_id
      from apple_device_workspaces order by 1, 2, 3`);
    const has = await sql(`
      select device_library_identifier, pass_type_identifier, workspace_id from apple_devices order by 1, 2, 3`);
    assert.deepEqual(said, has);
  });
});
