import assert from 'node:assert/strict';
import type { Json } from '../client.ts';
import { assertRefused, bodyOf } from './caller.ts';
import { part } from './sentence.ts';
import type { World } from './world.ts';

/** The codes of the contract, and the statuses that each comes with. */
const codes: Readonly<Record<string, readonly number[]>> = {
  missing_authorization: [401],
  invalid_api_key: [401],
  forbidden: [403],
  invalid_request: [400],
  pass_not_found: [404, 400],
  instance_not_found: [404],
  holder_not_found: [404],
  no_reward_pending: [409],
  insufficient_points: [409],
  pass_already_dynamic: [409],
  program_state_conflict: [422],
  partner_not_found: [404],
  pass_archived: [400],
  fields_not_editable: [400],
  template_owned_field: [400],
  unknown_field_key: [400],
  no_loyalty_program: [400],
  program_inactive: [400],
  program_not_launched: [400],
  fields_update_unsupported: [409],
  pool_exhausted: [409],
  draft_limit_reached: [409],
  ambiguous_barcode: [409],
  asset_fetch_failed: [422],
  payload_too_large: [413],
  insufficient_credits: [402],
  insufficient_scope: [403],
  rate_limited: [429],
  pass_not_active: [409],
  sweep_running: [409],
  sweep_failed: [502],
  internal_error: [500],
};

export const versioning = part(import.meta.url, '9. Versioning', {
  'The API is version v1': async (world) => {
    const { servers } = await description(world);
    assert.match(servers[0].url, /\/v1$/);
    assert.equal((await world.anyone.get('/openapi.json')).status, 200);
    assertRefused(await world.bare.get('/v2/me'), 404, 'route_not_found');
  },
  'Paths answer below /v1 and as the contract has them': async (world) => {
    assertRefused(await world.anyone.get('/passes'), 401, 'missing_authorization');
    assertRefused(await world.bare.get('/passes'), 401, 'missing_authorization');
  },
  'Error code values are a contract: they never change meaning': assertCodesKept,
  'and are only added to': async (world) => {
    const described = codesOf(await description(world));
    assert.deepEqual(
      Object.keys(codes).filter((code) => !described.has(code)),
      [],
    );
  },
  'Clients must tolerate new codes': async (world) => {
    const { code } = (await description(world)).components.schemas.Error.properties;
    assert.deepEqual([code.type, 'enum' in code], ['string', false], 'the set of codes is open');
  },
  'Error message strings may be reworded at any time': async (world) => {
    const { error } = (await description(world)).components.schemas.Error.properties;
    const promises = ['enum', 'const', 'pattern'].filter((name) => name in error);
    assert.deepEqual([error.type, promises], ['string', []]);
  },
});

/** The installation says of each code of the contract that it comes with the contract's statuses. */
export async function assertCodesKept(world: World): Promise<void> {
  const described = codesOf(await description(world));
  for (const [code, statuses] of Object.entries(codes))
    assert.deepEqual([...(described.get(code) ?? [])].sort(), [...statuses].sort(), code);
}

/** What the installation says of itself. */
async function description(world: World): Promise<Json> {
  return bodyOf(await world.bare.get('/openapi.json'), 200);
}

/** The statuses that it names for each error code. */
function codesOf({ paths }: Json): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const operations of Object.values<Json>(paths))
    for (const { responses } of Object.values<Json>(operations))
      for (const [status, response] of Object.entries<Json>(responses ?? {}))
        for (const code of namedCodes(response))
          found.set(code, (found.get(code) ?? new Set()).add(Number(status)));
  return found;
}

function namedCodes({ content }: Json): string[] {
  const parts: Json[] = content?.['application/json']?.schema?.allOf ?? [];
  return parts.flatMap((schema) => schema.properties?.code?.enum ?? []);
}
