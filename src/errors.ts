import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { CommitUnknown, isHeldUp, isOutOfRoom, isTransient } from './kit/db/database-errors.ts';
import { ApiError } from './kit/http/api-error.ts';
import { Money } from './kit/http/schemas/money.ts';
import { Problem } from './kit/http/schemas/problems.ts';
import { nullable, Timestamp } from './kit/http/schemas/shapes.ts';

/**
 * Every error that a client can see: code → status and help. The reference, OpenAPI and docs/ERRORS.md are
 * printed from this table. Codes never change meaning and are only added to.
 */
export const errors = {
  missing_authorization: [401, 'Send the API key as `Authorization: Bearer <key>`.'],
  invalid_api_key: [401, 'The key is unknown, expired or revoked. Check that it was copied whole.'],
  forbidden: [403, 'The resource belongs to another account. Use a key of the workspace that owns it.'],
  insufficient_scope: [403, 'The key is read-only or restricted to other passes. Use a key that permits it.'],
  invalid_request: [
    400,
    'The body or a parameter is malformed. The message says what to fix; `problems` say it to programs, by path and rule.',
  ],
  pass_not_found: [
    404,
    'No pass has this id on the account. Process Order answers 400 for an inactive pass.',
  ],
  instance_not_found: [404, 'No instance matches the instanceId or barcode.'],
  holder_not_found: [404, 'No loyalty holder matches the identifier, e-mail address or phone number.'],
  no_reward_pending: [
    409,
    'No reward is pending. `balance` and `threshold` say how far the card is; rewards are earned with POST /loyalty/points.',
  ],
  insufficient_points: [409, 'The balance is below the reward cost. Nothing was deducted.'],
  pass_already_dynamic: [
    409,
    'The pass already has a loyalty program. Change it with PATCH /loyalty/programs/{programId}.',
  ],
  program_state_conflict: [
    422,
    'The program cannot change to that state. `reason` is publish_pass_first or pause_requires_active.',
  ],
  partner_not_found: [404, 'No partner has that id in this workspace.'],
  pass_archived: [400, 'An archived pass cannot issue new instances. Publish it again first.'],
  fields_not_editable: [400, 'The pass has no editable fields.'],
  template_owned_field: [
    400,
    'The key belongs to the pass (title, details, terms, expiry): change it for all holders with PATCH /passes/{passId}.',
  ],
  unknown_field_key: [400, 'The key does not exist on the pass. The message lists the valid keys.'],
  no_loyalty_program: [400, 'The pass has no loyalty program. Create one with POST /loyalty/programs.'],
  program_inactive: [400, 'The program is paused. Resume it with PATCH /loyalty/programs/{programId}.'],
  program_not_launched: [
    400,
    'The program has not been launched. Launch it with PATCH /loyalty/programs/{programId}.',
  ],
  fields_update_unsupported: [
    409,
    'The card predates per-holder addressing. Re-adding the pass through its link creates an addressable card.',
  ],
  pool_exhausted: [409, "No barcodes remain in the pass's pool. Upload more."],
  draft_limit_reached: [
    409,
    'The workspace holds as many drafts as its plan allows. `limit` and `drafts` give the figures: publish, archive or delete one.',
  ],
  ambiguous_holder: [
    409,
    'Several holders of the pass share the e-mail address or phone number, or a holder has cards of several passes and none was named (`matchCount`). Name the pass, and the card by identifier, instanceId or barcode.',
  ],
  ambiguous_barcode: [
    409,
    'A shared code matches several instances (`matchCount`). Add passId or identifier, or ask by instanceId.',
  ],
  asset_fetch_failed: [
    422,
    'An image URL is unusable. `slot` names the parameter, `reason` says why. Nothing was created or changed.',
  ],
  image_not_found: [404, 'No image has this address. Passes name the addresses of their images.'],
  payload_too_large: [
    413,
    'An image URL points to a file over 20 MB, or an uploaded image is over 20 MB. Nothing was created or changed.',
  ],
  insufficient_credits: [402, 'Not enough credits. Top up, then retry.'],
  rate_limited: [429, 'Too many requests. Retry after the seconds in the Retry-After header.'],
  pass_not_active: [409, 'The action needs a published pass. Publish it first.'],
  sweep_running: [409, 'An invite sweep for existing customers is already running for this pass.'],
  sweep_failed: [
    502,
    "The store's customers could not be read or invited. `reason` is store_not_connected or the platform's error.",
  ],
  internal_error: [
    500,
    'A failure on our side. With `retryable: true` a retry is safe; otherwise send the requestId to support.',
  ],

  route_not_found: [404, 'No such path. See /docs for all of them.'],
  method_not_allowed: [405, 'The path exists, the method does not. The Allow header lists the methods.'],
  request_timeout: [408, 'The request arrived too slowly. Send it again on a better connection.'],
  request_too_large: [413, 'The request body is over the limit. Split it.'],
  uri_too_long: [414, 'The URL is too long.'],
  unsupported_media_type: [
    415,
    'Send `Content-Type: application/json` in UTF-8, without a content encoding.',
  ],
  expectation_failed: [417, 'The only Expect header that is understood is 100-continue.'],
  headers_too_large: [431, 'The header block is over 16 KiB.'],
  not_implemented: [501, 'The only Transfer-Encoding that is understood is `chunked`, alone.'],
  overloaded: [503, 'The service is shedding load or shutting down. Retry after the seconds in Retry-After.'],
  external_ref_reused: [
    409,
    'The externalRef or Idempotency-Key was used before for another effect. Use a fresh one.',
  ],
  balance_too_low: [
    409,
    'The balance is below what is to be taken from it (`balance`). Nothing was changed.',
  ],
  entry_not_reversible: [
    409,
    'Only earns and redeems can be undone, and an order is refunded instead. Correct other entries with POST /loyalty/adjust.',
  ],
  insufficient_value: [409, 'The card holds less money (`amount`). Charge less, or send `partial: true`.'],
  already_reversed: [409, 'The entry was undone before.'],
  refund_exceeds_order: [
    409,
    'The refund goes beyond what is left of the order (`refundable`). Nothing was changed.',
  ],
  cancel_not_reversible: [
    409,
    'Only a cancellation that waits for its order can be taken back, and this order has come.',
  ],
  barcode_taken: [409, 'The barcode is already used by another instance of the pass.'],
  external_id_taken: [409, 'Another partner of the workspace has this externalId.'],
  holder_has_active_instance: [
    409,
    'The holder already has an active instance of the pass. Void that one first, or keep using it.',
  ],
  instance_voided: [409, 'The instance is voided. Reactivate it first.'],
  instance_expired: [
    409,
    'The card has expired (`expiredAt`). Give it a later expiresAt with PATCH /instances/{instanceId}. Undo, refunds and corrections still work.',
  ],
  store_already_connected: [
    409,
    'The workspace has connected the store already. Change that one with PATCH /stores/{storeId}.',
  ],
  last_key: [
    409,
    "The workspace's last full-access key cannot be revoked or restricted. Create another first.",
  ],
  last_owner: [409, 'The workspace would have no owner left. Make another person an owner first.'],
  invalid_session: [401, 'The session has ended, or there is none. Sign in again.'],
  invalid_link: [401, 'The link was used, is too old, or is not complete. Ask for a new one.'],
  invalid_credentials: [
    401,
    'The address and the password do not belong together, or what was signed does not sign you in.',
  ],
  role_required: [403, 'The role of the person in this workspace does not permit it. Ask an owner.'],
  recent_sign_in_required: [403, 'What opens doors asks for a person who signed in within 10 minutes.'],
  person_exists: [409, 'The workspace already has a person with this address, whom the message names.'],
  invitation_not_found: [404, 'No workspace with that id has invited this person, and they belong to none.'],
  person_not_found: [404, 'No such person in this workspace.'],
  device_not_found: [404, 'No such shared till in this workspace.'],
  provider_unavailable: [
    503,
    'The provider that people sign in with cannot be reached. Retry after the seconds in Retry-After, or sign in otherwise.',
  ],
  passkey_not_found: [404, 'No such passkey of this person.'],
  session_not_found: [404, 'No such session of this person.'],
  workspace_suspended: [403, 'The workspace is suspended. Ask the operator of the installation.'],
  workspace_not_found: [404, 'No workspace has that id on this installation.'],
  program_not_found: [404, 'No such program in this workspace.'],
  api_key_not_found: [404, 'No such API key in this workspace.'],
  store_not_found: [404, 'No such store in this workspace.'],
  order_not_found: [404, 'No such order in this workspace.'],
  entry_not_found: [404, 'No such entry in this workspace.'],
  invite_not_found: [404, 'No such invitation; its link may be incomplete, or the person was forgotten.'],
  sweep_not_found: [404, 'No such sweep in this workspace.'],
  webhook_not_found: [404, 'No such webhook in this workspace.'],
  delivery_not_found: [404, 'No such delivery of this webhook; deliveries are kept for 30 days.'],
  webhook_limit_reached: [
    409,
    'The workspace has as many webhooks as it may (`limit`). Delete one, or have one take several kinds of events.',
  ],
  upload_limit_reached: [
    409,
    'The workspace has as many uploaded images as it may (`limit`, and `byteLimit` together); each is kept for three days. Give images by URL until then.',
  ],
  webhook_not_active: [
    409,
    'The webhook is paused or disabled. Activate it with PATCH /webhooks/{webhookId} first.',
  ],
  request_not_found: [
    404,
    'Nothing is known of a request with this id in this workspace: it is older than 30 days, a read that was not kept, or was sent less than a second ago.',
  ],
  event_not_found: [404, 'No such event in this workspace.'],
  message_not_found: [404, 'No such message in this workspace.'],
  message_already_sent: [
    409,
    'The message has gone out, or was taken back. Only one that waits for its time can be changed.',
  ],
  invalid_join: [
    400,
    'What was entered does not fit the form, or its link no longer works. `key` and `reason` (required, malformed, consent, unknown, link) say what; never whether the person has a card.',
  ],
  barcode_not_found: [404, 'No such barcode in the pool of this pass.'],
  wallet_not_configured: [
    404,
    'This installation has no account with that wallet. Use another way to add the card.',
  ],
  wallet_unavailable: [
    503,
    'The wallet cannot be reached at the moment. Retry after the seconds in Retry-After, or use another way to add the card.',
  ],
  invalid_pass_token: [
    401,
    'The serial number, the pass type and the token of the device do not belong together.',
  ],
  invalid_signature: [401, 'The signature of the call does not verify.'],
} as const satisfies Record<string, readonly [status: number, help: string]>;

export type ErrorCode = keyof typeof errors;
const Count = Type.Integer({ minimum: 0 });

/** The fields of an error's body besides the text, by code. As codes, fields are only added to. */
export const errorContext = {
  invalid_request: { problems: Type.Array(Problem, { minItems: 1 }) },
  no_reward_pending: { balance: Type.Integer(), threshold: nullable(Count) },
  insufficient_points: { balance: Type.Integer(), cost: Count },
  balance_too_low: { balance: Type.Integer() },
  insufficient_value: { balance: Count, amount: Money },
  instance_expired: { expiredAt: Timestamp },
  draft_limit_reached: { limit: Count, drafts: Count },
  webhook_limit_reached: { limit: Count },
  upload_limit_reached: { limit: Count, byteLimit: Count },
  ambiguous_holder: { matchCount: Count },
  ambiguous_barcode: { matchCount: Count },
  program_state_conflict: { reason: Type.String() },
  asset_fetch_failed: { slot: Type.String(), reason: Type.String() },
  refund_exceeds_order: { refundable: Money },
  invalid_join: { key: Type.String(), reason: Type.String() },
  sweep_running: { state: Type.Object({ running: Type.Boolean() }) },
  sweep_failed: { reason: Type.String() },
  invalid_credentials: { triesLeft: Type.Optional(Count) },
  internal_error: { retryable: Type.Optional(Type.Literal(true)) },
} as const satisfies Partial<Record<ErrorCode, Record<string, TSchema>>>;

type ContextOf<C extends ErrorCode> = C extends keyof typeof errorContext
  ? Static<TObject<(typeof errorContext)[C]>>
  : Readonly<Record<string, never>>;

type CodeWith<S extends number> = {
  [C in ErrorCode]: (typeof errors)[C][0] extends S ? C : never;
}[ErrorCode];

/**
 * What WWW-Authenticate asks for: every 401 has it (RFC 9110 §11.6.1), and says so of a token that was sent (RFC 6750 §3).
 */
const challenges: Readonly<Record<CodeWith<401> | 'insufficient_scope', string>> = {
  missing_authorization: 'Bearer realm="punchcard"',
  invalid_api_key: 'Bearer realm="punchcard", error="invalid_token"',
  insufficient_scope: 'Bearer realm="punchcard", error="insufficient_scope"',
  invalid_pass_token: 'ApplePass realm="punchcard", error="invalid_token"',
  invalid_signature: 'Signature realm="punchcard"',
  invalid_session: 'Cookie realm="punchcard"',
  invalid_link: 'Link realm="punchcard"',
  invalid_credentials: 'Password realm="punchcard"',
};

/** The refusal with that code: its status from the table, a message that says what to fix, its extra fields and headers. */
export function refusal<C extends ErrorCode>(
  code: C,
  message: string,
  extra: ContextOf<C> | Readonly<Record<string, never>> = {},
  headers: Record<string, string> = {},
): ApiError {
  const challenge = code in challenges ? challenges[code as keyof typeof challenges] : undefined;
  const all = challenge === undefined ? headers : { 'www-authenticate': challenge, ...headers };
  return new ApiError(errors[code][0], code, message, extra, all);
}

/**
 * What the client sees of a failure: a refusal as it is; what waited in vain as a 503; another cause that passes by
 * itself as a 500 that may be retried (after an unknown commit only where a key protects the retry); anything else
 * unchanged, for the server to report.
 */
export function toApiError(error: unknown, safeToRepeat: boolean): unknown {
  if (error instanceof ApiError) return error;
  if (isHeldUp(error)) {
    return refusal('overloaded', 'The database is busy. Retry shortly.', {}, { 'retry-after': '1' });
  }
  const isFull = isOutOfRoom(error);
  const passing = isFull || isTransient(error) || (error instanceof CommitUnknown && safeToRepeat);
  if (!passing) return error;
  return Object.assign(
    refusal('internal_error', isFull ? noRoom : 'The database was not available. Retry the request.', {
      retryable: true,
    }),
    { cause: error },
  );
}

const noRoom = 'The service has no room on its disk at the moment. Retry later.';
