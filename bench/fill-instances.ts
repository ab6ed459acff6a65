import type pg from 'pg';

/** Issues the instances `from` … `to` of a pass by SQL, with holders, events and claims, as the service would. */
export async function fillInstances(
  pool: pg.Pool,
  workspaceId: string,
  passId: string,
  from: number,
  to: number,
): Promise<void> {
  for (let at = from; at < to; at += 50_000) {
    await pool.query(
      `with cards as (
         select uuidv7() as instance_id, upper(substr(md5(n::text || 'barcode'), 1, 16)) as barcode, n
         from generate_series($3::bigint + 1, $4::bigint) n
       ), instance as (
         insert into instances (workspace_id, instance_id, pass_id, status, barcode, addressable, fields, metadata,
           link_secret, authentication_token, pass_revision, modified_at, created_at)
         select $1, instance_id, $2, 'active', barcode, true, '{}', '{}', uuid_send(gen_random_uuid()), barcode, 1, now(), now()
         from cards
       ), holder as (
         insert into holders (workspace_id, instance_id, pass_id, identifier, name, email)
         select $1, instance_id, $2, 'filled-' || md5(n::text), 'Holder ' || n, n || '@example.com' from cards
       ), event as (
         insert into instance_events (workspace_id, instance_id, event_id, kind, created_at)
         select $1, instance_id, uuidv7(), 'instance.issued', now() from cards
       )
       insert into operation_claims (workspace_id, operation, key, fingerprint, request_id, status, body)
       select $1, 'issueInstance', md5(n::text || 'key'), '\\x00', 'filled', 201, repeat('x', 1050) from cards`,
      [workspaceId, passId, at, Math.min(at + 50_000, to)],
    );
  }
}
