import type { Money, Problem } from './types.ts';

/** Every code that this version knows. */
export type ErrorCode =
  | 'missing_authorization'
  | 'invalid_api_key'
  | 'forbidden'
  | 'insufficient_scope'
  | 'invalid_request'
  | 'pass_not_found'
  | 'instance_not_found'
  | 'holder_not_found'
  | 'no_reward_pending'
  | 'insufficient_points'
  | 'pass_already_dynamic'
  | 'program_state_conflict'
  | 'partner_not_found'
  | 'pass_archived'
  | 'fields_not_editable'
  | 'template_owned_field'
  | 'unknown_field_key'
  | 'no_loyalty_program'
  | 'program_inactive'
  | 'program_not_launched'
  | 'fields_update_unsupported'
  | 'pool_exhausted'
  | 'draft_limit_reached'
  | 'ambiguous_holder'
  | 'ambiguous_barcode'
  | 'asset_fetch_failed'
  | 'image_not_found'
  | 'payload_too_large'
  | 'insufficient_credits'
  | 'rate_limited'
  | 'pass_not_active'
  | 'sweep_running'
  | 'sweep_failed'
  | 'internal_error'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'request_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'headers_too_large'
  | 'not_implemented'
  | 'overloaded'
  | 'external_ref_reused'
  | 'balance_too_low'
  | 'entry_not_reversible'
  | 'insufficient_value'
  | 'already_reversed'
  | 'refund_exceeds_order'
  | 'cancel_not_reversible'
  | 'barcode_taken'
  | 'external_id_taken'
  | 'holder_has_active_instance'
  | 'instance_voided'
  | 'instance_expired'
  | 'store_already_connected'
  | 'last_key'
  | 'last_owner'
  | 'invalid_session'
  | 'invalid_link'
  | 'invalid_credentials'
  | 'role_required'
  | 'recent_sign_in_required'
  | 'person_exists'
  | 'invitation_not_found'
  | 'person_not_found'
  | 'device_not_found'
  | 'provider_unavailable'
  | 'passkey_not_found'
  | 'session_not_found'
  | 'workspace_suspended'
  | 'workspace_not_found'
  | 'program_not_found'
  | 'api_key_not_found'
  | 'store_not_found'
  | 'order_not_found'
  | 'entry_not_found'
  | 'invite_not_found'
  | 'sweep_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'webhook_limit_reached'
  | 'upload_limit_reached'
  | 'webhook_not_active'
  | 'request_not_found'
  | 'event_not_found'
  | 'message_not_found'
  | 'message_already_sent'
  | 'invalid_join'
  | 'barcode_not_found'
  | 'wallet_not_configured'
  | 'wallet_unavailable'
  | 'invalid_pass_token'
  | 'invalid_signature'
  | 'connection_failed'
  | 'timed_out'
  | 'unexpected_answer';

/** The fields of errors, apart from their text; the code decides which of them are present. */
export interface ErrorContext {
  readonly problems?: Problem[];
  readonly balance?: number;
  readonly threshold?: number | null;
  readonly cost?: number;
  readonly reason?: string;
  readonly limit?: number;
  readonly drafts?: number;
  readonly matchCount?: number;
  readonly slot?: string;
  readonly state?: { running: boolean };
  readonly amount?: Money;
  readonly refundable?: Money;
  readonly expiredAt?: string;
  readonly triesLeft?: number;
  readonly byteLimit?: number;
  readonly key?: string;
}
