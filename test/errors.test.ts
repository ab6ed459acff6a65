import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { errors } from '../src/errors.ts';

/** The codes that were promised to clients. A line is only ever added here: it never changes and never goes. */
const promised: Readonly<Record<string, number>> = {
  missing_authorization: 401,
  invalid_api_key: 401,
  forbidden: 403,
  invalid_request: 400,
  pass_not_found: 404,
  instance_not_found: 404,
  holder_not_found: 404,
  no_reward_pending: 409,
  insufficient_points: 409,
  pass_already_dynamic: 409,
  program_state_conflict: 422,
  partner_not_found: 404,
  pass_archived: 400,
  fields_not_editable: 400,
  template_owned_field: 400,
  unknown_field_key: 400,
  no_loyalty_program: 400,
  program_inactive: 400,
  program_not_launched: 400,
  fields_update_unsupported: 409,
  pool_exhausted: 409,
  draft_limit_reached: 409,
  ambiguous_barcode: 409,
  ambiguous_holder: 409,
  asset_fetch_failed: 422,
  payload_too_large: 413,
  insufficient_credits: 402,
  insufficient_scope: 403,
  rate_limited: 429,
  pass_not_active: 409,
  sweep_running: 409,
  sweep_failed: 502,
  internal_error: 500,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  request_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  expectation_failed: 417,
  headers_too_large: 431,
  not_implemented: 501,
  overloaded: 503,
  external_ref_reused: 409,
  barcode_taken: 409,
  external_id_taken: 409,
  holder_has_active_instance: 409,
  instance_voided: 409,
  instance_expired: 409,
  last_key: 409,
  last_owner: 409,
  person_exists: 409,
  person_not_found: 404,
  invitation_not_found: 404,
  session_not_found: 404,
  device_not_found: 404,
  provider_unavailable: 503,
  passkey_not_found: 404,
  invalid_session: 401,
  invalid_link: 401,
  invalid_credentials: 401,
  role_required: 403,
  recent_sign_in_required: 403,
  workspace_suspended: 403,
  workspace_not_found: 404,
  program_not_found: 404,
  api_key_not_found: 404,
  store_not_found: 404,
  order_not_found: 404,
  entry_not_found: 404,
  sweep_not_found: 404,
  invite_not_found: 404,
  webhook_not_found: 404,
  delivery_not_found: 404,
  upload_limit_reached: 409,
  webhook_limit_reached: 409,
  webhook_not_active: 409,
  event_not_found: 404,
  request_not_found: 404,
  barcode_not_found: 404,
  invalid_join: 400,
  message_not_found: 404,
  message_already_sent: 409,
  wallet_not_configured: 404,
  wallet_unavailable: 503,
  invalid_signature: 401,
  invalid_pass_token: 401,
  image_not_found: 404,
  balance_too_low: 409,
  entry_not_reversible: 409,
  already_reversed: 409,
  refund_exceeds_order: 409,
  cancel_not_reversible: 409,
  store_already_connected: 409,
  insufficient_value: 409,
};

describe('the error table', () => {
  test('holds what was promised, with the promised status', () => {
    assert.deepEqual(
      Object.fromEntries(Object.entries(errors).map(([code, [status]]) => [code, status])),
      promised,
    );
  });

  test('helps with every code in a whole sentence', () => {
    for (const [code, [, help]] of Object.entries(errors)) assert.match(help, /^[A-Z].*\.$/, code);
  });

  test('is the one of docs/ERRORS.md', () => {
    const reference = readFileSync(new URL('../docs/ERRORS.md', import.meta.url), 'utf8').replaceAll(
      / +\|/g,
      ' |',
    );
    for (const [code, [status, help]] of Object.entries(errors)) {
      assert.ok(reference.includes(`| \`${code}\` | ${status} | ${help} |`), `${code}: run npm run docs`);
    }
  });
});
