import type pg from 'pg';

const firstNames =
  'Ada Alan Barbara Dennis Donald Edsger Frances Grace Hedy Ida Jean John Ken Leslie Lise Lynn Margaret Marie Niklaus Radia'.split(
    ' ',
  );
const syllables = 'ba be bo da de do ka ke ko la le lo ma me mo na ne no ra ro'.split(' ');

/** The name of a holder by the number of the card, in SQL: of twenty first names and eight thousand last ones. */
function nameOf(n: string): string {
  const oneOf = (words: readonly string[], divisor: number) =>
    `(array[${words.map((word) => `'${word}'`).join()}])[1 + ${n} / ${divisor} % ${words.length}]`;
  const last = [20, 400, 8_000].map((divisor) => oneOf(syllables, divisor)).join(' || ');
  return `${oneOf(firstNames, 1)} || ' ' || initcap(${last})`;
}

/** The same here. */
export function holderOf(n: number): { readonly first: string; readonly last: string } {
  const oneOf = (words: readonly string[], divisor: number) =>
    words[Math.floor(n / divisor) % words.length] ?? '';
  return {
    first: oneOf(firstNames, 1),
    last: [20, 400, 8_000].map((divisor) => oneOf(syllables, divisor)).join(''),
  };
}

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
         select uuidv7() as instance_id, upper(substr(md5(n::text || 'barcode'), 1, 16)) as barcode, n, ${nameOf('n')} as name
         from generate_series($3::bigint + 1, $4::bigint) n
       ), instance as (
         insert into instances (workspace_id, instance_id, pass_id, status, barcode, addressable, fields, metadata,
           link_secret, authentication_token, pass_revision, modified_at, created_at, folded_barcode)
         select $1, instance_id, $2, 'active', barcode, true, '{}', '{}', uuid_send(gen_random_uuid()), barcode, 1, now(), now(),
           lower(barcode)
         from cards
       ), holder as (
         insert into holders (workspace_id, instance_id, pass_id, identifier, name, email, phone,
           folded_identifier, folded_name, folded_email, folded_phone, folding)
         select $1, instance_id, $2, 'filled-' || md5(n::text), name, n || '@example.com', '+49151' || lpad(n::text, 8, '0'),
           'filled-' || md5(n::text), lower(name), n || '@example.com', '+49151' || lpad(n::text, 8, '0'), 1
         from cards
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
