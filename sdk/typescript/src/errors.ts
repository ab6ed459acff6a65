import { PunchcardError } from './core/punchcard-error.ts';
import type { Money, Problem } from './types.ts';

export type { ErrorCode, ErrorContext } from './error-codes.ts';

/** Send the API key as `Authorization: Bearer <key>`. */
export class MissingAuthorizationError extends PunchcardError {
  declare readonly code: 'missing_authorization';
}

/** The key is unknown, expired or revoked. Check that it was copied whole. */
export class InvalidApiKeyError extends PunchcardError {
  declare readonly code: 'invalid_api_key';
}

/** The resource belongs to another account. Use a key of the workspace that owns it. */
export class ForbiddenError extends PunchcardError {
  declare readonly code: 'forbidden';
}

/** The key is read-only or restricted to other passes. Use a key that permits it. */
export class InsufficientScopeError extends PunchcardError {
  declare readonly code: 'insufficient_scope';
}

/**
 * The body or a parameter is malformed. The message says what to fix; `problems` say it to programs, by
 * path and rule.
 */
export class InvalidRequestError extends PunchcardError {
  declare readonly code: 'invalid_request';
  declare readonly problems: Problem[];
}

/** No pass has this id on the account. Process Order answers 400 for an inactive pass. */
export class PassNotFoundError extends PunchcardError {
  declare readonly code: 'pass_not_found';
}

/** No instance matches the instanceId or barcode. */
export class InstanceNotFoundError extends PunchcardError {
  declare readonly code: 'instance_not_found';
}

/** No loyalty holder matches the identifier, e-mail address or phone number. */
export class HolderNotFoundError extends PunchcardError {
  declare readonly code: 'holder_not_found';
}

/**
 * No reward is pending. `balance` and `threshold` say how far the card is; rewards are earned with POST
 * /loyalty/points.
 */
export class NoRewardPendingError extends PunchcardError {
  declare readonly code: 'no_reward_pending';
  declare readonly balance: number;
  declare readonly threshold: number | null;
}

/** The balance is below the reward cost. Nothing was deducted. */
export class InsufficientPointsError extends PunchcardError {
  declare readonly code: 'insufficient_points';
  declare readonly balance: number;
  declare readonly cost: number;
}

/** The pass already has a loyalty program. Change it with PATCH /loyalty/programs/{programId}. */
export class PassAlreadyDynamicError extends PunchcardError {
  declare readonly code: 'pass_already_dynamic';
}

/** The program cannot change to that state. `reason` is publish_pass_first or pause_requires_active. */
export class ProgramStateConflictError extends PunchcardError {
  declare readonly code: 'program_state_conflict';
  declare readonly reason: string;
}

/** No partner has that id in this workspace. */
export class PartnerNotFoundError extends PunchcardError {
  declare readonly code: 'partner_not_found';
}

/** An archived pass cannot issue new instances. Publish it again first. */
export class PassArchivedError extends PunchcardError {
  declare readonly code: 'pass_archived';
}

/** The pass has no editable fields. */
export class FieldsNotEditableError extends PunchcardError {
  declare readonly code: 'fields_not_editable';
}

/**
 * The key belongs to the pass (title, details, terms, expiry): change it for all holders with PATCH
 * /passes/{passId}.
 */
export class TemplateOwnedFieldError extends PunchcardError {
  declare readonly code: 'template_owned_field';
}

/** The key does not exist on the pass. The message lists the valid keys. */
export class UnknownFieldKeyError extends PunchcardError {
  declare readonly code: 'unknown_field_key';
}

/** The pass has no loyalty program. Create one with POST /loyalty/programs. */
export class NoLoyaltyProgramError extends PunchcardError {
  declare readonly code: 'no_loyalty_program';
}

/** The program is paused. Resume it with PATCH /loyalty/programs/{programId}. */
export class ProgramInactiveError extends PunchcardError {
  declare readonly code: 'program_inactive';
}

/** The program has not been launched. Launch it with PATCH /loyalty/programs/{programId}. */
export class ProgramNotLaunchedError extends PunchcardError {
  declare readonly code: 'program_not_launched';
}

/**
 * The card predates per-holder addressing. Re-adding the pass through its link creates an addressable
 * card.
 */
export class FieldsUpdateUnsupportedError extends PunchcardError {
  declare readonly code: 'fields_update_unsupported';
}

/** No barcodes remain in the pass's pool. Upload more. */
export class PoolExhaustedError extends PunchcardError {
  declare readonly code: 'pool_exhausted';
}

/**
 * The workspace holds as many drafts as its plan allows. `limit` and `drafts` give the figures:
 * publish, archive or delete one.
 */
export class DraftLimitReachedError extends PunchcardError {
  declare readonly code: 'draft_limit_reached';
  declare readonly limit: number;
  declare readonly drafts: number;
}

/**
 * Several holders of the pass share the e-mail address or phone number, or a holder has cards of
 * several passes and none was named (`matchCount`). Name the pass, and the card by identifier,
 * instanceId or barcode.
 */
export class AmbiguousHolderError extends PunchcardError {
  declare readonly code: 'ambiguous_holder';
  declare readonly matchCount: number;
}

/**
 * A shared code matches several instances (`matchCount`). Add passId or identifier, or ask by
 * instanceId.
 */
export class AmbiguousBarcodeError extends PunchcardError {
  declare readonly code: 'ambiguous_barcode';
  declare readonly matchCount: number;
}

/**
 * An image URL is unusable. `slot` names the parameter, `reason` says why. Nothing was created or
 * changed.
 */
export class AssetFetchFailedError extends PunchcardError {
  declare readonly code: 'asset_fetch_failed';
  declare readonly slot: string;
  declare readonly reason: string;
}

/** No image has this address. Passes name the addresses of their images. */
export class ImageNotFoundError extends PunchcardError {
  declare readonly code: 'image_not_found';
}

/**
 * An image URL points to a file over 20 MB, or an uploaded image is over 20 MB. Nothing was created or
 * changed.
 */
export class PayloadTooLargeError extends PunchcardError {
  declare readonly code: 'payload_too_large';
}

/** Not enough credits. Top up, then retry. */
export class InsufficientCreditsError extends PunchcardError {
  declare readonly code: 'insufficient_credits';
}

/** Too many requests. Retry after the seconds in the Retry-After header. */
export class RateLimitedError extends PunchcardError {
  declare readonly code: 'rate_limited';
}

/** The action needs a published pass. Publish it first. */
export class PassNotActiveError extends PunchcardError {
  declare readonly code: 'pass_not_active';
}

/** An invite sweep for existing customers is already running for this pass. */
export class SweepRunningError extends PunchcardError {
  declare readonly code: 'sweep_running';
  declare readonly state: { running: boolean };
}

/**
 * The store's customers could not be read or invited. `reason` is store_not_connected or the platform's
 * error.
 */
export class SweepFailedError extends PunchcardError {
  declare readonly code: 'sweep_failed';
  declare readonly reason: string;
}

/**
 * A failure on our side. With `retryable: true` a retry is safe; otherwise send the requestId to
 * support.
 */
export class InternalError extends PunchcardError {
  declare readonly code: 'internal_error';
}

/** No such path. See /docs for all of them. */
export class RouteNotFoundError extends PunchcardError {
  declare readonly code: 'route_not_found';
}

/** The path exists, the method does not. The Allow header lists the methods. */
export class MethodNotAllowedError extends PunchcardError {
  declare readonly code: 'method_not_allowed';
}

/** The request arrived too slowly. Send it again on a better connection. */
export class RequestTimeoutError extends PunchcardError {
  declare readonly code: 'request_timeout';
}

/** The request body is over the limit. Split it. */
export class RequestTooLargeError extends PunchcardError {
  declare readonly code: 'request_too_large';
}

/** The URL is too long. */
export class UriTooLongError extends PunchcardError {
  declare readonly code: 'uri_too_long';
}

/** Send `Content-Type: application/json` in UTF-8, without a content encoding. */
export class UnsupportedMediaTypeError extends PunchcardError {
  declare readonly code: 'unsupported_media_type';
}

/** The only Expect header that is understood is 100-continue. */
export class ExpectationFailedError extends PunchcardError {
  declare readonly code: 'expectation_failed';
}

/** The header block is over 16 KiB. */
export class HeadersTooLargeError extends PunchcardError {
  declare readonly code: 'headers_too_large';
}

/** The only Transfer-Encoding that is understood is `chunked`, alone. */
export class NotImplementedError extends PunchcardError {
  declare readonly code: 'not_implemented';
}

/** The service is shedding load or shutting down. Retry after the seconds in Retry-After. */
export class OverloadedError extends PunchcardError {
  declare readonly code: 'overloaded';
}

/** The externalRef or Idempotency-Key was used before for another effect. Use a fresh one. */
export class ExternalRefReusedError extends PunchcardError {
  declare readonly code: 'external_ref_reused';
}

/** The balance is below what is to be taken from it (`balance`). Nothing was changed. */
export class BalanceTooLowError extends PunchcardError {
  declare readonly code: 'balance_too_low';
  declare readonly balance: number;
}

/**
 * Only earns and redeems can be undone, and an order is refunded instead. Correct other entries with
 * POST /loyalty/adjust.
 */
export class EntryNotReversibleError extends PunchcardError {
  declare readonly code: 'entry_not_reversible';
}

/** The card holds less money (`amount`). Charge less, or send `partial: true`. */
export class InsufficientValueError extends PunchcardError {
  declare readonly code: 'insufficient_value';
  declare readonly balance: number;
  declare readonly amount: Money;
}

/** The entry was undone before. */
export class AlreadyReversedError extends PunchcardError {
  declare readonly code: 'already_reversed';
}

/** The refund goes beyond what is left of the order (`refundable`). Nothing was changed. */
export class RefundExceedsOrderError extends PunchcardError {
  declare readonly code: 'refund_exceeds_order';
  declare readonly refundable: Money;
}

/** Only a cancellation that waits for its order can be taken back, and this order has come. */
export class CancelNotReversibleError extends PunchcardError {
  declare readonly code: 'cancel_not_reversible';
}

/** The barcode is already used by another instance of the pass. */
export class BarcodeTakenError extends PunchcardError {
  declare readonly code: 'barcode_taken';
}

/** Another partner of the workspace has this externalId. */
export class ExternalIdTakenError extends PunchcardError {
  declare readonly code: 'external_id_taken';
}

/** The holder already has an active instance of the pass. Void that one first, or keep using it. */
export class HolderHasActiveInstanceError extends PunchcardError {
  declare readonly code: 'holder_has_active_instance';
}

/** The instance is voided. Reactivate it first. */
export class InstanceVoidedError extends PunchcardError {
  declare readonly code: 'instance_voided';
}

/**
 * The card has expired (`expiredAt`). Give it a later expiresAt with PATCH /instances/{instanceId}.
 * Undo, refunds and corrections still work.
 */
export class InstanceExpiredError extends PunchcardError {
  declare readonly code: 'instance_expired';
  declare readonly expiredAt: string;
}

/** The workspace has connected the store already. Change that one with PATCH /stores/{storeId}. */
export class StoreAlreadyConnectedError extends PunchcardError {
  declare readonly code: 'store_already_connected';
}

/** The workspace's last full-access key cannot be revoked or restricted. Create another first. */
export class LastKeyError extends PunchcardError {
  declare readonly code: 'last_key';
}

/** The workspace would have no owner left. Make another person an owner first. */
export class LastOwnerError extends PunchcardError {
  declare readonly code: 'last_owner';
}

/** The session has ended, or there is none. Sign in again. */
export class InvalidSessionError extends PunchcardError {
  declare readonly code: 'invalid_session';
}

/** The link was used, is too old, or is not complete. Ask for a new one. */
export class InvalidLinkError extends PunchcardError {
  declare readonly code: 'invalid_link';
}

/** The address and the password do not belong together, or what was signed does not sign you in. */
export class InvalidCredentialsError extends PunchcardError {
  declare readonly code: 'invalid_credentials';
  declare readonly triesLeft: number;
}

/** The role of the person in this workspace does not permit it. Ask an owner. */
export class RoleRequiredError extends PunchcardError {
  declare readonly code: 'role_required';
}

/** What opens doors asks for a person who signed in within 10 minutes. */
export class RecentSignInRequiredError extends PunchcardError {
  declare readonly code: 'recent_sign_in_required';
}

/** The workspace already has a person with this address, whom the message names. */
export class PersonExistsError extends PunchcardError {
  declare readonly code: 'person_exists';
}

/** No workspace with that id has invited this person, and they belong to none. */
export class InvitationNotFoundError extends PunchcardError {
  declare readonly code: 'invitation_not_found';
}

/** No such person in this workspace. */
export class PersonNotFoundError extends PunchcardError {
  declare readonly code: 'person_not_found';
}

/** No such shared till in this workspace. */
export class DeviceNotFoundError extends PunchcardError {
  declare readonly code: 'device_not_found';
}

/**
 * The provider that people sign in with cannot be reached. Retry after the seconds in Retry-After, or
 * sign in otherwise.
 */
export class ProviderUnavailableError extends PunchcardError {
  declare readonly code: 'provider_unavailable';
}

/** No such passkey of this person. */
export class PasskeyNotFoundError extends PunchcardError {
  declare readonly code: 'passkey_not_found';
}

/** No such session of this person. */
export class SessionNotFoundError extends PunchcardError {
  declare readonly code: 'session_not_found';
}

/** The workspace is suspended. Ask the operator of the installation. */
export class WorkspaceSuspendedError extends PunchcardError {
  declare readonly code: 'workspace_suspended';
}

/** No workspace has that id on this installation. */
export class WorkspaceNotFoundError extends PunchcardError {
  declare readonly code: 'workspace_not_found';
}

/** No such program in this workspace. */
export class ProgramNotFoundError extends PunchcardError {
  declare readonly code: 'program_not_found';
}

/** No such API key in this workspace. */
export class ApiKeyNotFoundError extends PunchcardError {
  declare readonly code: 'api_key_not_found';
}

/** No such store in this workspace. */
export class StoreNotFoundError extends PunchcardError {
  declare readonly code: 'store_not_found';
}

/** No such order in this workspace. */
export class OrderNotFoundError extends PunchcardError {
  declare readonly code: 'order_not_found';
}

/** No such entry in this workspace. */
export class EntryNotFoundError extends PunchcardError {
  declare readonly code: 'entry_not_found';
}

/** No such invitation; its link may be incomplete, or the person was forgotten. */
export class InviteNotFoundError extends PunchcardError {
  declare readonly code: 'invite_not_found';
}

/** No such sweep in this workspace. */
export class SweepNotFoundError extends PunchcardError {
  declare readonly code: 'sweep_not_found';
}

/** No such webhook in this workspace. */
export class WebhookNotFoundError extends PunchcardError {
  declare readonly code: 'webhook_not_found';
}

/** No such delivery of this webhook; deliveries are kept for 30 days. */
export class DeliveryNotFoundError extends PunchcardError {
  declare readonly code: 'delivery_not_found';
}

/**
 * The workspace has as many webhooks as it may (`limit`). Delete one, or have one take several kinds of
 * events.
 */
export class WebhookLimitReachedError extends PunchcardError {
  declare readonly code: 'webhook_limit_reached';
  declare readonly limit: number;
}

/**
 * The workspace has as many uploaded images as it may (`limit`, and `byteLimit` together); each is kept
 * for three days. Give images by URL until then.
 */
export class UploadLimitReachedError extends PunchcardError {
  declare readonly code: 'upload_limit_reached';
  declare readonly limit: number;
  declare readonly byteLimit: number;
}

/** The webhook is paused or disabled. Activate it with PATCH /webhooks/{webhookId} first. */
export class WebhookNotActiveError extends PunchcardError {
  declare readonly code: 'webhook_not_active';
}

/**
 * Nothing is known of a request with this id in this workspace: it is older than 30 days, a read that
 * was not kept, or was sent less than a second ago.
 */
export class RequestNotFoundError extends PunchcardError {
  declare readonly code: 'request_not_found';
}

/** No such event in this workspace. */
export class EventNotFoundError extends PunchcardError {
  declare readonly code: 'event_not_found';
}

/** No such message in this workspace. */
export class MessageNotFoundError extends PunchcardError {
  declare readonly code: 'message_not_found';
}

/** The message has gone out, or was taken back. Only one that waits for its time can be changed. */
export class MessageAlreadySentError extends PunchcardError {
  declare readonly code: 'message_already_sent';
}

/**
 * What was entered does not fit the form, or its link no longer works. `key` and `reason` (required,
 * malformed, consent, unknown, link) say what; never whether the person has a card.
 */
export class InvalidJoinError extends PunchcardError {
  declare readonly code: 'invalid_join';
  declare readonly key: string;
  declare readonly reason: string;
}

/** No such barcode in the pool of this pass. */
export class BarcodeNotFoundError extends PunchcardError {
  declare readonly code: 'barcode_not_found';
}

/** This installation has no account with that wallet. Use another way to add the card. */
export class WalletNotConfiguredError extends PunchcardError {
  declare readonly code: 'wallet_not_configured';
}

/**
 * The wallet cannot be reached at the moment. Retry after the seconds in Retry-After, or use another
 * way to add the card.
 */
export class WalletUnavailableError extends PunchcardError {
  declare readonly code: 'wallet_unavailable';
}

/** The serial number, the pass type and the token of the device do not belong together. */
export class InvalidPassTokenError extends PunchcardError {
  declare readonly code: 'invalid_pass_token';
}

/** The signature of the call does not verify. */
export class InvalidSignatureError extends PunchcardError {
  declare readonly code: 'invalid_signature';
}

/** The class of each code. */
export const errorClasses = {
  missing_authorization: MissingAuthorizationError,
  invalid_api_key: InvalidApiKeyError,
  forbidden: ForbiddenError,
  insufficient_scope: InsufficientScopeError,
  invalid_request: InvalidRequestError,
  pass_not_found: PassNotFoundError,
  instance_not_found: InstanceNotFoundError,
  holder_not_found: HolderNotFoundError,
  no_reward_pending: NoRewardPendingError,
  insufficient_points: InsufficientPointsError,
  pass_already_dynamic: PassAlreadyDynamicError,
  program_state_conflict: ProgramStateConflictError,
  partner_not_found: PartnerNotFoundError,
  pass_archived: PassArchivedError,
  fields_not_editable: FieldsNotEditableError,
  template_owned_field: TemplateOwnedFieldError,
  unknown_field_key: UnknownFieldKeyError,
  no_loyalty_program: NoLoyaltyProgramError,
  program_inactive: ProgramInactiveError,
  program_not_launched: ProgramNotLaunchedError,
  fields_update_unsupported: FieldsUpdateUnsupportedError,
  pool_exhausted: PoolExhaustedError,
  draft_limit_reached: DraftLimitReachedError,
  ambiguous_holder: AmbiguousHolderError,
  ambiguous_barcode: AmbiguousBarcodeError,
  asset_fetch_failed: AssetFetchFailedError,
  image_not_found: ImageNotFoundError,
  payload_too_large: PayloadTooLargeError,
  insufficient_credits: InsufficientCreditsError,
  rate_limited: RateLimitedError,
  pass_not_active: PassNotActiveError,
  sweep_running: SweepRunningError,
  sweep_failed: SweepFailedError,
  internal_error: InternalError,
  route_not_found: RouteNotFoundError,
  method_not_allowed: MethodNotAllowedError,
  request_timeout: RequestTimeoutError,
  request_too_large: RequestTooLargeError,
  uri_too_long: UriTooLongError,
  unsupported_media_type: UnsupportedMediaTypeError,
  expectation_failed: ExpectationFailedError,
  headers_too_large: HeadersTooLargeError,
  not_implemented: NotImplementedError,
  overloaded: OverloadedError,
  external_ref_reused: ExternalRefReusedError,
  balance_too_low: BalanceTooLowError,
  entry_not_reversible: EntryNotReversibleError,
  insufficient_value: InsufficientValueError,
  already_reversed: AlreadyReversedError,
  refund_exceeds_order: RefundExceedsOrderError,
  cancel_not_reversible: CancelNotReversibleError,
  barcode_taken: BarcodeTakenError,
  external_id_taken: ExternalIdTakenError,
  holder_has_active_instance: HolderHasActiveInstanceError,
  instance_voided: InstanceVoidedError,
  instance_expired: InstanceExpiredError,
  store_already_connected: StoreAlreadyConnectedError,
  last_key: LastKeyError,
  last_owner: LastOwnerError,
  invalid_session: InvalidSessionError,
  invalid_link: InvalidLinkError,
  invalid_credentials: InvalidCredentialsError,
  role_required: RoleRequiredError,
  recent_sign_in_required: RecentSignInRequiredError,
  person_exists: PersonExistsError,
  invitation_not_found: InvitationNotFoundError,
  person_not_found: PersonNotFoundError,
  device_not_found: DeviceNotFoundError,
  provider_unavailable: ProviderUnavailableError,
  passkey_not_found: PasskeyNotFoundError,
  session_not_found: SessionNotFoundError,
  workspace_suspended: WorkspaceSuspendedError,
  workspace_not_found: WorkspaceNotFoundError,
  program_not_found: ProgramNotFoundError,
  api_key_not_found: ApiKeyNotFoundError,
  store_not_found: StoreNotFoundError,
  order_not_found: OrderNotFoundError,
  entry_not_found: EntryNotFoundError,
  invite_not_found: InviteNotFoundError,
  sweep_not_found: SweepNotFoundError,
  webhook_not_found: WebhookNotFoundError,
  delivery_not_found: DeliveryNotFoundError,
  webhook_limit_reached: WebhookLimitReachedError,
  upload_limit_reached: UploadLimitReachedError,
  webhook_not_active: WebhookNotActiveError,
  request_not_found: RequestNotFoundError,
  event_not_found: EventNotFoundError,
  message_not_found: MessageNotFoundError,
  message_already_sent: MessageAlreadySentError,
  invalid_join: InvalidJoinError,
  barcode_not_found: BarcodeNotFoundError,
  wallet_not_configured: WalletNotConfiguredError,
  wallet_unavailable: WalletUnavailableError,
  invalid_pass_token: InvalidPassTokenError,
  invalid_signature: InvalidSignatureError,
};
