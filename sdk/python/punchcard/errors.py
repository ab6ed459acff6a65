"""
A class for each code that the API refuses with. Printed from it: `npm run docs`.

A service may be newer than this file: a code without a class here is raised as `PunchcardError`.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Type

from . import types
from ._errors import PunchcardError, field

class MissingAuthorizationError(PunchcardError):
    """`missing_authorization`, 401: Send the API key as `Authorization: Bearer <key>`."""


class InvalidApiKeyError(PunchcardError):
    """`invalid_api_key`, 401: The key is unknown, expired or revoked. Check that it was copied whole."""


class ForbiddenError(PunchcardError):
    """`forbidden`, 403: The resource belongs to another account. Use a key of the workspace that owns it."""


class InsufficientScopeError(PunchcardError):
    """`insufficient_scope`, 403: The key is read-only or restricted to other passes. Use a key that permits it."""


class InvalidRequestError(PunchcardError):
    """
    `invalid_request`, 400: The body or a parameter is malformed. The message says what to fix; `problems` say it to
    programs, by path and rule.
    """

    problems: List[types.Problem] = field("problems")


class PassNotFoundError(PunchcardError):
    """`pass_not_found`, 404: No pass has this id on the account. Process Order answers 400 for an inactive pass."""


class InstanceNotFoundError(PunchcardError):
    """`instance_not_found`, 404: No instance matches the instanceId or barcode."""


class HolderNotFoundError(PunchcardError):
    """`holder_not_found`, 404: No loyalty holder matches the identifier, e-mail address or phone number."""


class NoRewardPendingError(PunchcardError):
    """
    `no_reward_pending`, 409: No reward is pending. `balance` and `threshold` say how far the card is; rewards are
    earned with POST /loyalty/points.
    """

    balance: int = field("balance")
    threshold: Optional[int] = field("threshold")


class InsufficientPointsError(PunchcardError):
    """`insufficient_points`, 409: The balance is below the reward cost. Nothing was deducted."""

    balance: int = field("balance")
    cost: int = field("cost")


class PassAlreadyDynamicError(PunchcardError):
    """
    `pass_already_dynamic`, 409: The pass already has a loyalty program. Change it with PATCH
    /loyalty/programs/{programId}.
    """


class ProgramStateConflictError(PunchcardError):
    """
    `program_state_conflict`, 422: The program cannot change to that state. `reason` is publish_pass_first or
    pause_requires_active.
    """

    reason: str = field("reason")


class PartnerNotFoundError(PunchcardError):
    """`partner_not_found`, 404: No partner has that id in this workspace."""


class PassArchivedError(PunchcardError):
    """`pass_archived`, 400: An archived pass cannot issue new instances. Publish it again first."""


class FieldsNotEditableError(PunchcardError):
    """`fields_not_editable`, 400: The pass has no editable fields."""


class TemplateOwnedFieldError(PunchcardError):
    """
    `template_owned_field`, 400: The key belongs to the pass (title, details, terms, expiry): change it for all holders
    with PATCH /passes/{passId}.
    """


class UnknownFieldKeyError(PunchcardError):
    """`unknown_field_key`, 400: The key does not exist on the pass. The message lists the valid keys."""


class NoLoyaltyProgramError(PunchcardError):
    """`no_loyalty_program`, 400: The pass has no loyalty program. Create one with POST /loyalty/programs."""


class ProgramInactiveError(PunchcardError):
    """`program_inactive`, 400: The program is paused. Resume it with PATCH /loyalty/programs/{programId}."""


class ProgramNotLaunchedError(PunchcardError):
    """
    `program_not_launched`, 400: The program has not been launched. Launch it with PATCH /loyalty/programs/{programId}.
    """


class FieldsUpdateUnsupportedError(PunchcardError):
    """
    `fields_update_unsupported`, 409: The card predates per-holder addressing. Re-adding the pass through its link
    creates an addressable card.
    """


class PoolExhaustedError(PunchcardError):
    """`pool_exhausted`, 409: No barcodes remain in the pass's pool. Upload more."""


class DraftLimitReachedError(PunchcardError):
    """
    `draft_limit_reached`, 409: The workspace holds as many drafts as its plan allows. `limit` and `drafts` give the
    figures: publish, archive or delete one.
    """

    limit: int = field("limit")
    drafts: int = field("drafts")


class AmbiguousHolderError(PunchcardError):
    """
    `ambiguous_holder`, 409: Several holders of the pass share the e-mail address or phone number, or a holder has cards
    of several passes and none was named (`matchCount`). Name the pass, and the card by identifier, instanceId or
    barcode.
    """

    match_count: int = field("matchCount")


class AmbiguousBarcodeError(PunchcardError):
    """
    `ambiguous_barcode`, 409: A shared code matches several instances (`matchCount`). Add passId or identifier, or ask
    by instanceId.
    """

    match_count: int = field("matchCount")


class AssetFetchFailedError(PunchcardError):
    """
    `asset_fetch_failed`, 422: An image URL is unusable. `slot` names the parameter, `reason` says why. Nothing was
    created or changed.
    """

    slot: str = field("slot")
    reason: str = field("reason")


class ImageNotFoundError(PunchcardError):
    """`image_not_found`, 404: No image has this address. Passes name the addresses of their images."""


class PayloadTooLargeError(PunchcardError):
    """
    `payload_too_large`, 413: An image URL points to a file over 20 MB, or an uploaded image is over 20 MB. Nothing was
    created or changed.
    """


class InsufficientCreditsError(PunchcardError):
    """`insufficient_credits`, 402: Not enough credits. Top up, then retry."""


class RateLimitedError(PunchcardError):
    """`rate_limited`, 429: Too many requests. Retry after the seconds in the Retry-After header."""


class PassNotActiveError(PunchcardError):
    """`pass_not_active`, 409: The action needs a published pass. Publish it first."""


class SweepRunningError(PunchcardError):
    """`sweep_running`, 409: An invite sweep for existing customers is already running for this pass."""

    state: types.SweepRunningState = field("state")


class SweepFailedError(PunchcardError):
    """
    `sweep_failed`, 502: The store's customers could not be read or invited. `reason` is store_not_connected or the
    platform's error.
    """

    reason: str = field("reason")


class InternalError(PunchcardError):
    """
    `internal_error`, 500: A failure on our side. With `retryable: true` a retry is safe; otherwise send the requestId
    to support.
    """


class RouteNotFoundError(PunchcardError):
    """`route_not_found`, 404: No such path. See /docs for all of them."""


class MethodNotAllowedError(PunchcardError):
    """`method_not_allowed`, 405: The path exists, the method does not. The Allow header lists the methods."""


class RequestTimeoutError(PunchcardError):
    """`request_timeout`, 408: The request arrived too slowly. Send it again on a better connection."""


class RequestTooLargeError(PunchcardError):
    """`request_too_large`, 413: The request body is over the limit. Split it."""


class UriTooLongError(PunchcardError):
    """`uri_too_long`, 414: The URL is too long."""


class UnsupportedMediaTypeError(PunchcardError):
    """`unsupported_media_type`, 415: Send `Content-Type: application/json` in UTF-8, without a content encoding."""


class ExpectationFailedError(PunchcardError):
    """`expectation_failed`, 417: The only Expect header that is understood is 100-continue."""


class HeadersTooLargeError(PunchcardError):
    """`headers_too_large`, 431: The header block is over 16 KiB."""


class NotImplementedError(PunchcardError):
    """`not_implemented`, 501: The only Transfer-Encoding that is understood is `chunked`, alone."""


class OverloadedError(PunchcardError):
    """`overloaded`, 503: The service is shedding load or shutting down. Retry after the seconds in Retry-After."""


class ExternalRefReusedError(PunchcardError):
    """
    `external_ref_reused`, 409: The externalRef or Idempotency-Key was used before for another effect. Use a fresh one.
    """


class BalanceTooLowError(PunchcardError):
    """`balance_too_low`, 409: The balance is below what is to be taken from it (`balance`). Nothing was changed."""

    balance: int = field("balance")


class EntryNotReversibleError(PunchcardError):
    """
    `entry_not_reversible`, 409: Only earns and redeems can be undone, and an order is refunded instead. Correct other
    entries with POST /loyalty/adjust.
    """


class InsufficientValueError(PunchcardError):
    """`insufficient_value`, 409: The card holds less money (`amount`). Charge less, or send `partial: true`."""

    balance: int = field("balance")
    amount: types.Money = field("amount")


class AlreadyReversedError(PunchcardError):
    """`already_reversed`, 409: The entry was undone before."""


class RefundExceedsOrderError(PunchcardError):
    """
    `refund_exceeds_order`, 409: The refund goes beyond what is left of the order (`refundable`). Nothing was changed.
    """

    refundable: types.Money = field("refundable")


class CancelNotReversibleError(PunchcardError):
    """
    `cancel_not_reversible`, 409: Only a cancellation that waits for its order can be taken back, and this order has
    come.
    """


class BarcodeTakenError(PunchcardError):
    """`barcode_taken`, 409: The barcode is already used by another instance of the pass."""


class ExternalIdTakenError(PunchcardError):
    """`external_id_taken`, 409: Another partner of the workspace has this externalId."""


class HolderHasActiveInstanceError(PunchcardError):
    """
    `holder_has_active_instance`, 409: The holder already has an active instance of the pass. Void that one first, or
    keep using it.
    """


class InstanceVoidedError(PunchcardError):
    """`instance_voided`, 409: The instance is voided. Reactivate it first."""


class InstanceExpiredError(PunchcardError):
    """
    `instance_expired`, 409: The card has expired (`expiredAt`). Give it a later expiresAt with PATCH
    /instances/{instanceId}. Undo, refunds and corrections still work.
    """

    expired_at: str = field("expiredAt")


class StoreAlreadyConnectedError(PunchcardError):
    """
    `store_already_connected`, 409: The workspace has connected the store already. Change that one with PATCH
    /stores/{storeId}.
    """


class LastKeyError(PunchcardError):
    """`last_key`, 409: The workspace's last full-access key cannot be revoked or restricted. Create another first."""


class LastOwnerError(PunchcardError):
    """`last_owner`, 409: The workspace would have no owner left. Make another person an owner first."""


class InvalidSessionError(PunchcardError):
    """`invalid_session`, 401: The session has ended, or there is none. Sign in again."""


class InvalidLinkError(PunchcardError):
    """`invalid_link`, 401: The link was used, is too old, or is not complete. Ask for a new one."""


class InvalidCredentialsError(PunchcardError):
    """
    `invalid_credentials`, 401: The address and the password do not belong together, or what was signed does not sign
    you in.
    """

    tries_left: int = field("triesLeft")


class RoleRequiredError(PunchcardError):
    """`role_required`, 403: The role of the person in this workspace does not permit it. Ask an owner."""


class RecentSignInRequiredError(PunchcardError):
    """`recent_sign_in_required`, 403: What opens doors asks for a person who signed in within 10 minutes."""


class PersonExistsError(PunchcardError):
    """`person_exists`, 409: The workspace already has a person with this address, whom the message names."""


class InvitationNotFoundError(PunchcardError):
    """`invitation_not_found`, 404: No workspace with that id has invited this person, and they belong to none."""


class PersonNotFoundError(PunchcardError):
    """`person_not_found`, 404: No such person in this workspace."""


class DeviceNotFoundError(PunchcardError):
    """`device_not_found`, 404: No such shared till in this workspace."""


class ProviderUnavailableError(PunchcardError):
    """
    `provider_unavailable`, 503: The provider that people sign in with cannot be reached. Retry after the seconds in
    Retry-After, or sign in otherwise.
    """


class PasskeyNotFoundError(PunchcardError):
    """`passkey_not_found`, 404: No such passkey of this person."""


class SessionNotFoundError(PunchcardError):
    """`session_not_found`, 404: No such session of this person."""


class WorkspaceSuspendedError(PunchcardError):
    """`workspace_suspended`, 403: The workspace is suspended. Ask the operator of the installation."""


class WorkspaceNotFoundError(PunchcardError):
    """`workspace_not_found`, 404: No workspace has that id on this installation."""


class ProgramNotFoundError(PunchcardError):
    """`program_not_found`, 404: No such program in this workspace."""


class ApiKeyNotFoundError(PunchcardError):
    """`api_key_not_found`, 404: No such API key in this workspace."""


class StoreNotFoundError(PunchcardError):
    """`store_not_found`, 404: No such store in this workspace."""


class OrderNotFoundError(PunchcardError):
    """`order_not_found`, 404: No such order in this workspace."""


class EntryNotFoundError(PunchcardError):
    """`entry_not_found`, 404: No such entry in this workspace."""


class InviteNotFoundError(PunchcardError):
    """`invite_not_found`, 404: No such invitation; its link may be incomplete, or the person was forgotten."""


class SweepNotFoundError(PunchcardError):
    """`sweep_not_found`, 404: No such sweep in this workspace."""


class WebhookNotFoundError(PunchcardError):
    """`webhook_not_found`, 404: No such webhook in this workspace."""


class DeliveryNotFoundError(PunchcardError):
    """`delivery_not_found`, 404: No such delivery of this webhook; deliveries are kept for 30 days."""


class WebhookLimitReachedError(PunchcardError):
    """
    `webhook_limit_reached`, 409: The workspace has as many webhooks as it may (`limit`). Delete one, or have one take
    several kinds of events.
    """

    limit: int = field("limit")


class UploadLimitReachedError(PunchcardError):
    """
    `upload_limit_reached`, 409: The workspace has as many uploaded images as it may (`limit`, and `byteLimit`
    together); each is kept for three days. Give images by URL until then.
    """

    limit: int = field("limit")
    byte_limit: int = field("byteLimit")


class WebhookNotActiveError(PunchcardError):
    """
    `webhook_not_active`, 409: The webhook is paused or disabled. Activate it with PATCH /webhooks/{webhookId} first.
    """


class RequestNotFoundError(PunchcardError):
    """
    `request_not_found`, 404: Nothing is known of a request with this id in this workspace: it is older than 30 days, a
    read that was not kept, or was sent less than a second ago.
    """


class EventNotFoundError(PunchcardError):
    """`event_not_found`, 404: No such event in this workspace."""


class MessageNotFoundError(PunchcardError):
    """`message_not_found`, 404: No such message in this workspace."""


class MessageAlreadySentError(PunchcardError):
    """
    `message_already_sent`, 409: The message has gone out, or was taken back. Only one that waits for its time can be
    changed.
    """


class InvalidJoinError(PunchcardError):
    """
    `invalid_join`, 400: What was entered does not fit the form, or its link no longer works. `key` and `reason`
    (required, malformed, consent, unknown, link) say what; never whether the person has a card.
    """

    key: str = field("key")
    reason: str = field("reason")


class BarcodeNotFoundError(PunchcardError):
    """`barcode_not_found`, 404: No such barcode in the pool of this pass."""


class WalletNotConfiguredError(PunchcardError):
    """
    `wallet_not_configured`, 404: This installation has no account with that wallet. Use another way to add the card.
    """


class WalletUnavailableError(PunchcardError):
    """
    `wallet_unavailable`, 503: The wallet cannot be reached at the moment. Retry after the seconds in Retry-After, or
    use another way to add the card.
    """


class InvalidPassTokenError(PunchcardError):
    """
    `invalid_pass_token`, 401: The serial number, the pass type and the token of the device do not belong together.
    """


class InvalidSignatureError(PunchcardError):
    """`invalid_signature`, 401: The signature of the call does not verify."""


ERRORS: Dict[str, Type[PunchcardError]] = {
    "missing_authorization": MissingAuthorizationError,
    "invalid_api_key": InvalidApiKeyError,
    "forbidden": ForbiddenError,
    "insufficient_scope": InsufficientScopeError,
    "invalid_request": InvalidRequestError,
    "pass_not_found": PassNotFoundError,
    "instance_not_found": InstanceNotFoundError,
    "holder_not_found": HolderNotFoundError,
    "no_reward_pending": NoRewardPendingError,
    "insufficient_points": InsufficientPointsError,
    "pass_already_dynamic": PassAlreadyDynamicError,
    "program_state_conflict": ProgramStateConflictError,
    "partner_not_found": PartnerNotFoundError,
    "pass_archived": PassArchivedError,
    "fields_not_editable": FieldsNotEditableError,
    "template_owned_field": TemplateOwnedFieldError,
    "unknown_field_key": UnknownFieldKeyError,
    "no_loyalty_program": NoLoyaltyProgramError,
    "program_inactive": ProgramInactiveError,
    "program_not_launched": ProgramNotLaunchedError,
    "fields_update_unsupported": FieldsUpdateUnsupportedError,
    "pool_exhausted": PoolExhaustedError,
    "draft_limit_reached": DraftLimitReachedError,
    "ambiguous_holder": AmbiguousHolderError,
    "ambiguous_barcode": AmbiguousBarcodeError,
    "asset_fetch_failed": AssetFetchFailedError,
    "image_not_found": ImageNotFoundError,
    "payload_too_large": PayloadTooLargeError,
    "insufficient_credits": InsufficientCreditsError,
    "rate_limited": RateLimitedError,
    "pass_not_active": PassNotActiveError,
    "sweep_running": SweepRunningError,
    "sweep_failed": SweepFailedError,
    "internal_error": InternalError,
    "route_not_found": RouteNotFoundError,
    "method_not_allowed": MethodNotAllowedError,
    "request_timeout": RequestTimeoutError,
    "request_too_large": RequestTooLargeError,
    "uri_too_long": UriTooLongError,
    "unsupported_media_type": UnsupportedMediaTypeError,
    "expectation_failed": ExpectationFailedError,
    "headers_too_large": HeadersTooLargeError,
    "not_implemented": NotImplementedError,
    "overloaded": OverloadedError,
    "external_ref_reused": ExternalRefReusedError,
    "balance_too_low": BalanceTooLowError,
    "entry_not_reversible": EntryNotReversibleError,
    "insufficient_value": InsufficientValueError,
    "already_reversed": AlreadyReversedError,
    "refund_exceeds_order": RefundExceedsOrderError,
    "cancel_not_reversible": CancelNotReversibleError,
    "barcode_taken": BarcodeTakenError,
    "external_id_taken": ExternalIdTakenError,
    "holder_has_active_instance": HolderHasActiveInstanceError,
    "instance_voided": InstanceVoidedError,
    "instance_expired": InstanceExpiredError,
    "store_already_connected": StoreAlreadyConnectedError,
    "last_key": LastKeyError,
    "last_owner": LastOwnerError,
    "invalid_session": InvalidSessionError,
    "invalid_link": InvalidLinkError,
    "invalid_credentials": InvalidCredentialsError,
    "role_required": RoleRequiredError,
    "recent_sign_in_required": RecentSignInRequiredError,
    "person_exists": PersonExistsError,
    "invitation_not_found": InvitationNotFoundError,
    "person_not_found": PersonNotFoundError,
    "device_not_found": DeviceNotFoundError,
    "provider_unavailable": ProviderUnavailableError,
    "passkey_not_found": PasskeyNotFoundError,
    "session_not_found": SessionNotFoundError,
    "workspace_suspended": WorkspaceSuspendedError,
    "workspace_not_found": WorkspaceNotFoundError,
    "program_not_found": ProgramNotFoundError,
    "api_key_not_found": ApiKeyNotFoundError,
    "store_not_found": StoreNotFoundError,
    "order_not_found": OrderNotFoundError,
    "entry_not_found": EntryNotFoundError,
    "invite_not_found": InviteNotFoundError,
    "sweep_not_found": SweepNotFoundError,
    "webhook_not_found": WebhookNotFoundError,
    "delivery_not_found": DeliveryNotFoundError,
    "webhook_limit_reached": WebhookLimitReachedError,
    "upload_limit_reached": UploadLimitReachedError,
    "webhook_not_active": WebhookNotActiveError,
    "request_not_found": RequestNotFoundError,
    "event_not_found": EventNotFoundError,
    "message_not_found": MessageNotFoundError,
    "message_already_sent": MessageAlreadySentError,
    "invalid_join": InvalidJoinError,
    "barcode_not_found": BarcodeNotFoundError,
    "wallet_not_configured": WalletNotConfiguredError,
    "wallet_unavailable": WalletUnavailableError,
    "invalid_pass_token": InvalidPassTokenError,
    "invalid_signature": InvalidSignatureError,
}

__all__ = [
    "AlreadyReversedError",
    "AmbiguousBarcodeError",
    "AmbiguousHolderError",
    "ApiKeyNotFoundError",
    "AssetFetchFailedError",
    "BalanceTooLowError",
    "BarcodeNotFoundError",
    "BarcodeTakenError",
    "CancelNotReversibleError",
    "DeliveryNotFoundError",
    "DeviceNotFoundError",
    "DraftLimitReachedError",
    "EntryNotFoundError",
    "EntryNotReversibleError",
    "EventNotFoundError",
    "ExpectationFailedError",
    "ExternalIdTakenError",
    "ExternalRefReusedError",
    "FieldsNotEditableError",
    "FieldsUpdateUnsupportedError",
    "ForbiddenError",
    "HeadersTooLargeError",
    "HolderHasActiveInstanceError",
    "HolderNotFoundError",
    "ImageNotFoundError",
    "InstanceExpiredError",
    "InstanceNotFoundError",
    "InstanceVoidedError",
    "InsufficientCreditsError",
    "InsufficientPointsError",
    "InsufficientScopeError",
    "InsufficientValueError",
    "InternalError",
    "InvalidApiKeyError",
    "InvalidCredentialsError",
    "InvalidJoinError",
    "InvalidLinkError",
    "InvalidPassTokenError",
    "InvalidRequestError",
    "InvalidSessionError",
    "InvalidSignatureError",
    "InvitationNotFoundError",
    "InviteNotFoundError",
    "LastKeyError",
    "LastOwnerError",
    "MessageAlreadySentError",
    "MessageNotFoundError",
    "MethodNotAllowedError",
    "MissingAuthorizationError",
    "NoLoyaltyProgramError",
    "NoRewardPendingError",
    "NotImplementedError",
    "OrderNotFoundError",
    "OverloadedError",
    "PartnerNotFoundError",
    "PassAlreadyDynamicError",
    "PassArchivedError",
    "PassNotActiveError",
    "PassNotFoundError",
    "PasskeyNotFoundError",
    "PayloadTooLargeError",
    "PersonExistsError",
    "PersonNotFoundError",
    "PoolExhaustedError",
    "ProgramInactiveError",
    "ProgramNotFoundError",
    "ProgramNotLaunchedError",
    "ProgramStateConflictError",
    "ProviderUnavailableError",
    "RateLimitedError",
    "RecentSignInRequiredError",
    "RefundExceedsOrderError",
    "RequestNotFoundError",
    "RequestTimeoutError",
    "RequestTooLargeError",
    "RoleRequiredError",
    "RouteNotFoundError",
    "SessionNotFoundError",
    "StoreAlreadyConnectedError",
    "StoreNotFoundError",
    "SweepFailedError",
    "SweepNotFoundError",
    "SweepRunningError",
    "TemplateOwnedFieldError",
    "UnknownFieldKeyError",
    "UnsupportedMediaTypeError",
    "UploadLimitReachedError",
    "UriTooLongError",
    "WalletNotConfiguredError",
    "WalletUnavailableError",
    "WebhookLimitReachedError",
    "WebhookNotActiveError",
    "WebhookNotFoundError",
    "WorkspaceNotFoundError",
    "WorkspaceSuspendedError",
]
