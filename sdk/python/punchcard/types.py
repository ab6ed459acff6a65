"""
The objects of the API, as it spells them.

A service may be newer than this file: it may send properties, and words in the place of a literal, that are not here.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class PushWarning(TypedDict):
    code: str
    message: str


class Pushed(TypedDict):
    """The wallets are being notified, for a credit."""

    pushed: Literal[True]


class Unchanged(TypedDict):
    """The card shows what it has shown before."""

    pushed: Literal[False]
    pushSkipReason: Literal["unchanged"]


class NotInstalled(TypedDict):
    """The card is in no wallet."""

    pushed: Literal[False]
    pushSkipReason: Literal["not_installed"]


class Unpaid(TypedDict):
    """The change counts, but no wallet is notified: there were no credits. A top-up delivers it."""

    pushed: Literal[False]
    pushSkipReason: Literal["insufficient_credits"]
    warnings: List[PushWarning]


class AdjustmentRequired(TypedDict):
    """What is always there of Adjustment."""

    points: int
    """what is added to the balance; below zero: taken from it"""
    reason: str
    """why, for readers of the ledger"""


class Adjustment(AdjustmentRequired, total=False):
    """One of `identifier`, `instanceId`, `barcode`, `email`, `phone` is there."""

    passId: str
    identifier: str
    """
    the holder's number in your own system; one active card per pass and identifier; kept and compared in Unicode's NFC
    form
    """
    instanceId: str
    barcode: str
    """kept and compared in Unicode's NFC form"""
    email: str
    """an e-mail address"""
    phone: str
    """
    a telephone number, however it is written; one without its country is of the country of the workspace. It is kept
    and answered in the form of E.164
    """
    externalRef: str
    """Your reference of this effect: a repeat answers the original result."""
    partnerId: Optional[str]
    countsAsEarned: bool
    """whether lifetimePoints change with the balance; default false"""


class AdjustmentResults(TypedDict):
    results: List[AdjustmentResultsResult]


class AdjustmentResultsResultRequired(TypedDict):
    """What is always there of AdjustmentResultsResult."""

    status: int


class AdjustmentResultsResult(AdjustmentResultsResultRequired, total=False):
    """One of `adjustment`, `error` is there."""

    adjustment: Posting
    error: ItemError


class ApiKey(TypedDict):
    keyId: str
    name: str
    access: Literal["full", "read"]
    passIds: Optional[List[str]]
    rateLimit: Optional[int]
    """requests per second; null for the installation's default"""
    expiresAt: Optional[str]
    """ISO 8601, UTC"""
    revokedAt: Optional[str]
    """ISO 8601, UTC"""
    lastUsedAt: Optional[str]
    """ISO 8601, UTC"""
    createdAt: str
    """ISO 8601, UTC"""


class ApiKeyWithSecret(TypedDict):
    keyId: str
    name: str
    access: Literal["full", "read"]
    passIds: Optional[List[str]]
    rateLimit: Optional[int]
    """requests per second; null for the installation's default"""
    expiresAt: Optional[str]
    """ISO 8601, UTC"""
    revokedAt: Optional[str]
    """ISO 8601, UTC"""
    lastUsedAt: Optional[str]
    """ISO 8601, UTC"""
    createdAt: str
    """ISO 8601, UTC"""
    secret: str
    """shown only here"""


class AuditLine(TypedDict):
    auditId: str
    action: str
    """the name of the operation, or of the background work"""
    actor: str
    """who did it: the id of a key, a person or a store, `operator`, or `anyone` who is not signed in"""
    target: str
    """the id of what was changed"""
    detail: Dict[str, Any]
    """what was changed; `before` and `after` have the values that matter"""
    requestId: str
    createdAt: str
    """ISO 8601, UTC"""


class AwardRequired(TypedDict):
    """What is always there of Award."""

    points: int


class Award(AwardRequired, total=False):
    """One of `identifier`, `instanceId`, `barcode`, `email`, `phone` is there."""

    passId: str
    identifier: str
    """
    the holder's number in your own system; one active card per pass and identifier; kept and compared in Unicode's NFC
    form
    """
    instanceId: str
    barcode: str
    """kept and compared in Unicode's NFC form"""
    email: str
    """an e-mail address"""
    phone: str
    """
    a telephone number, however it is written; one without its country is of the country of the workspace. It is kept
    and answered in the form of E.164
    """
    externalRef: str
    """Your reference of this effect: a repeat answers the original result."""
    partnerId: Optional[str]
    reason: Optional[str]
    """why, for readers of the ledger"""
    occurredAt: Optional[str]
    """ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z"""


class AwardResults(TypedDict):
    results: List[AwardResultsResult]


class AwardResultsResultRequired(TypedDict):
    """What is always there of AwardResultsResult."""

    status: int


class AwardResultsResult(AwardResultsResultRequired, total=False):
    """One of `award`, `error` is there."""

    award: Posting
    error: ItemError


class BalancesReport(TypedDict):
    dryRun: bool
    """whether nothing was written"""
    lines: int
    changed: int
    unchanged: int
    refused: int
    results: List[BalancesReportResult]


class BalancesReportResultRequired(TypedDict):
    """What is always there of BalancesReportResult."""

    line: int
    """of the file, whose header is line 1"""
    status: Literal["changed", "unchanged", "refused"]


class BalancesReportResult(BalancesReportResultRequired, total=False):
    instanceId: str
    before: int
    after: int
    """less than the figure where stamps have unlocked rewards"""
    points: int
    """what was entered: the figure less `before`"""
    error: BalancesReportResultError


class BalancesReportResultError(TypedDict):
    code: str
    error: str


class CancelledOrderBody(TypedDict):
    orderId: str
    waiting: bool
    """the order is not known yet: this counts as soon as it is"""
    refunded: Optional[Money]
    points: int
    """what the order earns after this"""
    pointsTaken: int
    """taken from the balance by this call"""
    instanceId: Optional[str]
    balance: Optional[int]
    pendingRewards: Optional[int]


class CancelledOrderPushed(CancelledOrderBody, Pushed):
    pass


class CancelledOrderUnchanged(CancelledOrderBody, Unchanged):
    pass


class CancelledOrderNotInstalled(CancelledOrderBody, NotInstalled):
    pass


class CancelledOrderUnpaid(CancelledOrderBody, Unpaid):
    pass


CancelledOrder = Union["CancelledOrderPushed", "CancelledOrderUnchanged", "CancelledOrderNotInstalled", "CancelledOrderUnpaid"]


CardPurpose = Literal["membership", "gym", "library", "parking", "student", "business", "season", "entry", "reservation", "transit", "vehicle", "carInsurance", "homeInsurance", "utility", "receipt", "voucher", "loyalty", "code", "other"]
"""what a card of the type `generic` is for"""


class CardVoidRequired(TypedDict):
    """What is always there of CardVoid."""

    instanceId: str


class CardVoid(CardVoidRequired, total=False):
    reason: Optional[str]
    """shown with the card; erasing the card takes it away"""


class ChargedValueBody(TypedDict):
    """money that was taken, what is left to pay, and what the card holds then"""

    entryId: str
    instanceId: str
    programId: str
    charged: Money
    due: Money
    balance: Money


class ChargedValuePushed(ChargedValueBody, Pushed):
    pass


class ChargedValueUnchanged(ChargedValueBody, Unchanged):
    pass


class ChargedValueNotInstalled(ChargedValueBody, NotInstalled):
    pass


class ChargedValueUnpaid(ChargedValueBody, Unpaid):
    pass


ChargedValue = Union["ChargedValuePushed", "ChargedValueUnchanged", "ChargedValueNotInstalled", "ChargedValueUnpaid"]


class Consent(TypedDict):
    key: str
    """of the consent in `join.consents` of the pass"""
    text: str
    """word for word as they read it"""
    agreed: bool
    createdAt: str
    """ISO 8601, UTC"""


class CreatedWorkspace(TypedDict):
    workspaceId: str
    name: str
    plan: Literal["entry", "pro"]
    credits: int
    apiKey: str
    """a full-access key; shown only here"""


class CreditAccount(TypedDict):
    balance: int
    """free to spend"""
    reserved: int
    """held for pushes under way"""
    spent: int


class CreditEntry(TypedDict):
    seq: int
    kind: Literal["grant", "correct", "reserve", "settle", "release"]
    amount: int
    """what it adds to the balance"""
    reserved: int
    """what it adds to the credits held for pushes under way"""
    balance: int
    """after this entry"""
    externalRef: Optional[str]
    note: Optional[str]
    instanceId: Optional[str]
    messageId: Optional[str]
    rolloutId: Optional[str]
    """the change of a design that went to all its cards"""
    requestId: Optional[str]
    """the request that it was for"""
    createdAt: str
    """ISO 8601, UTC"""


Currency = str
"""a currency of ISO 4217, e.g. EUR"""


class CurrentKey(TypedDict):
    keyId: Optional[str]
    personId: Optional[str]
    role: Optional[Literal["owner", "manager", "staff", "viewer"]]
    partnerId: Optional[str]
    name: str
    access: Literal["full", "read"]
    passIds: Optional[List[str]]
    workspace: CurrentKeyWorkspace
    rateLimit: int
    """requests per second"""


class CurrentKeyWorkspace(TypedDict):
    workspaceId: str
    name: str
    plan: Literal["entry", "pro"]
    credits: int
    drafts: int


class Delivery(TypedDict):
    deliveryId: str
    """the `webhook-id` of its messages, the same over all attempts"""
    webhookId: str
    eventId: str
    type: str
    status: Literal["waiting", "delivered", "failed"]
    nextAttemptAt: Optional[str]
    attempts: List[DeliveryAttempt]
    """the last twenty, the oldest first"""
    createdAt: str
    """when the event was made"""


class DeliveryAttempt(TypedDict):
    at: str
    """ISO 8601, UTC"""
    status: Optional[int]
    """of the answer; null where there was none"""
    milliseconds: int
    problem: Optional[str]
    """why there was no answer"""
    answer: Optional[str]
    """its first 1,000 bytes; null to keys that may only read"""


class DesignPreview(TypedDict):
    apple: str
    """an SVG document"""
    google: str
    """an SVG document"""
    web: DesignPreviewWeb
    """the front of the web card, and the style sheet that it is shown with"""
    change: Optional[DesignPreviewChange]
    warnings: List[DesignPreviewWarning]


class DesignPreviewChange(TypedDict):
    cards: int
    """how many cards would change"""
    credits: int
    """what the pushes to those that are installed would cost"""


class DesignPreviewWarningRequired(TypedDict):
    """What is always there of DesignPreviewWarning."""

    code: str
    param: str
    """the property that it is about, such as `colors.label`"""
    message: str


class DesignPreviewWarning(DesignPreviewWarningRequired, total=False):
    label: str
    """of `text_cut`: what the card calls the text"""
    missing: List[str]
    """of `translation_incomplete`: the texts that it lacks"""


class DesignPreviewWeb(TypedDict):
    html: str
    css: str


class DesignedPassProgramRequired(TypedDict):
    """What is always there of DesignedPassProgram."""

    mode: Literal["POINTS", "STAMPS", "MONEY"]


class DesignedPassProgram(DesignedPassProgramRequired, total=False):
    currency: Currency
    reward: DesignedPassProgramReward
    threshold: Optional[int]
    """stamps that unlock a reward, in STAMPS"""
    pointName: ProgramPointName
    """what one point is called, and several"""
    drawsStamps: bool
    """whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero images of the pass"""


class DesignedPassProgramRewardRequired(TypedDict):
    """What is always there of DesignedPassProgramReward."""

    title: str
    """what the reward is, e.g. Free coffee"""


class DesignedPassProgramReward(DesignedPassProgramRewardRequired, total=False):
    cost: Optional[int]
    """points that a reward costs, in POINTS"""


class Device(TypedDict):
    deviceId: str
    name: str
    partnerId: Optional[str]
    paired: bool
    createdAt: str
    """ISO 8601, UTC"""


class Diagnosis(TypedDict):
    instanceId: str
    workspaceId: str
    findings: List[DiagnosisFinding]


class DiagnosisFindingRequired(TypedDict):
    """What is always there of DiagnosisFinding."""

    level: Literal["ok", "warning", "error"]
    what: str


class DiagnosisFinding(DiagnosisFindingRequired, total=False):
    advice: str
    """what to do about it"""


class EntryRequired(TypedDict):
    """What is always there of Entry."""

    entryId: str
    seq: int
    """number within the account, without gaps"""
    kind: Literal["earn", "redeem", "unlock", "cancel", "expire", "adjust", "import", "reversal"]
    points: int
    """what it added to the balance; below zero: took from it"""
    balance: int
    """after it"""
    externalRef: Optional[str]
    reason: Optional[str]
    limitedBy: Optional[Literal["min_seconds_between", "per_day", "instance_expired"]]
    partnerId: Optional[str]
    orderId: Optional[str]
    reversalOf: Optional[str]
    instanceId: str
    actor: str
    """who made it: a key, a person, a store, or the name of a job"""
    deviceId: Optional[str]
    """the shared till at which that person was signed in"""
    occurredAt: str
    """ISO 8601, UTC"""
    createdAt: str
    """ISO 8601, UTC"""


class Entry(EntryRequired, total=False):
    amount: MoneyMoved
    holderName: Optional[str]
    """
    in lists that were asked for with `include=holder`: what to call the holder of the card now: name, e-mail address,
    telephone number or identifier, the first that is known; else absent
    """


class Event(TypedDict):
    eventId: str
    seq: int
    """without a gap in the workspace"""
    type: EventType
    createdAt: str
    """ISO 8601, UTC"""
    requestId: str
    """of the request that did it, or the name of the background work"""
    actor: str
    """who did it: the id of a key, a person or a store, or `operator`, `holder`, `system`"""
    passId: Optional[str]
    instanceId: Optional[str]
    data: Dict[str, Any]
    """what it concerns, as the API showed it then; empty once the card was erased"""
    previous: Dict[str, Any]
    """the changed properties, as they were before"""


EventType = Literal["pass.created", "pass.published", "pass.archived", "pass.updated", "instance.issued", "instance.installed", "instance.removed", "instance.updated", "instance.voided", "instance.reactivated", "instance.erased", "points.awarded", "points.adjusted", "points.reversed", "points.expired", "reward.unlocked", "reward.redeemed", "value.loaded", "value.charged", "value.refunded", "value.reversed", "value.adjusted", "value.expired", "program.launched", "program.paused", "order.processed", "order.refunded", "order.cancelled", "order.updated", "push.delivered", "push.skipped", "push.failed", "message.sent", "credits.low", "credits.added", "pool.low", "invite.sent", "invite.accepted", "invite.unsubscribed", "sweep.finished", "rollout.finished", "certificate.expiring", "webhook.failing", "webhook.disabled", "webhook.test"]


class ExpiryAfterIssue(TypedDict):
    kind: Literal["afterIssue"]
    days: int


class FieldUpdateRequired(TypedDict):
    """What is always there of FieldUpdate."""

    instanceId: str
    fields: Dict[str, Union[Optional[str], FieldUpdateFieldsUseDefault]]


class FieldUpdate(FieldUpdateRequired, total=False):
    externalRef: str
    """Your reference of this effect: a repeat answers the original result."""


class FieldUpdateFieldsUseDefault(TypedDict):
    useDefault: Literal[True]


class FixedExpiry(TypedDict):
    kind: Literal["fixed"]
    at: str
    """ISO 8601, UTC"""


class HolderRequired(TypedDict):
    """What is always there of Holder."""

    identifier: Optional[str]
    """
    the holder's number in your own system; one active card per pass and identifier; kept and compared in Unicode's NFC
    form
    """
    name: Optional[str]
    email: Optional[str]
    """an e-mail address"""
    phone: Optional[str]
    """a telephone number in the form of E.164"""
    locale: Optional[str]
    """BCP 47, e.g. pt-BR"""
    cards: List[Instance]
    """the active ones first, then the newest; at most 100"""


class Holder(HolderRequired, total=False):
    phoneGiven: str
    """what a store or a former version has given as telephone number of the holder and is none; absent: nothing"""


class ImportedInstanceRequired(TypedDict):
    """What is always there of ImportedInstance."""

    barcode: str
    """kept and compared in Unicode's NFC form"""


class ImportedInstance(ImportedInstanceRequired, total=False):
    holder: Optional[NewInstanceHolder]
    addressable: bool
    """whether a wallet link of ours reaches the card; default false"""
    balance: Optional[int]
    value: Money


class InstanceRequired(TypedDict):
    """What is always there of Instance."""

    instanceId: str
    passId: str
    status: Literal["active", "voided"]
    barcode: Optional[str]
    addressable: bool
    """whether the holder may have values of their own"""
    holder: Optional[InstanceHolder]
    fields: Dict[str, Optional[str]]
    expiresAt: Optional[str]
    """ISO 8601, UTC"""
    partnerId: Optional[str]
    metadata: Dict[str, Optional[Union[str, float, bool]]]
    wallets: InstanceWallets
    loyalty: Optional[InstanceLoyalty]
    links: InstanceLinks
    externalRef: Optional[str]
    """yours, of its issue"""
    installedAt: Optional[str]
    """when a wallet took it first"""
    lastPush: Optional[InstanceLastPush]
    """the outcome of the last push of the card; a design that goes to all cards is not counted"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """
    when its holder, fields, expiry, metadata, status or points last changed; wallets that take it, and pushes, leave it
    """
    voidedAt: Optional[str]
    """ISO 8601, UTC"""
    voidReason: Optional[str]


class Instance(InstanceRequired, total=False):
    phoneGiven: str
    """what a store or a former version has given as telephone number of the holder and is none; absent: nothing"""
    details: InstanceDetails
    """in lists that were asked for with `include=details`; else absent"""
    expired: Literal[True]
    """where a card is read whose `expiresAt` has come; else absent"""


class InstanceDetails(TypedDict):
    lastAwardAt: Optional[str]
    """ISO 8601, UTC"""
    consents: List[Consent]
    """the newest answer to each"""


class InstanceDiagnosis(TypedDict):
    instanceId: str
    findings: List[InstanceDiagnosisFinding]


class InstanceDiagnosisFinding(TypedDict):
    level: Literal["ok", "warning", "error"]
    code: Literal[
        "card_active",
        "card_erased",
        "card_voided",
        "card_imported",
        "pass_not_published",
        "service_address",
        "certificate",
        "held",
        "removed",
        "not_registered",
        "not_added",
        "never_opened",
        "given_up",
        "device_reported",
        "credits_missing",
        "change_ahead",
        "wallet_refuses",
        "push_service_unreached",
        "device",
        "other_certificate",
        "device_asks",
        "change_held_back",
        "push_paced",
        "push_retried",
        "push_in_hand",
        "push_due",
        "push_failed",
        "push_taken",
        "newest_fetched",
        "newest_not_pushed",
        "newest_not_fetched",
        "changes_silent",
        "changes_announced",
        "value_not_announced",
        "google_not_asked",
        "google_not_set_up",
        "google_not_made",
        "google_not_kept",
        "google_silent",
        "google_limit",
        "browsers",
        "browsers_silent",
    ]
    """what it is about, for programs; more are added at any time"""
    wallet: Optional[Literal["apple", "google", "web"]]
    at: Optional[str]
    """when it happened, or will"""
    what: str
    advice: Optional[str]
    """what to do about it"""


class InstanceEventRequired(TypedDict):
    """What is always there of InstanceEvent."""

    eventId: str
    kind: str
    """as in the event log, such as `instance.updated`; kinds are added"""
    createdAt: str
    """ISO 8601, UTC"""


class InstanceEvent(InstanceEventRequired, total=False):
    changed: List[str]
    """the keys that an update changed"""
    wallet: Literal["apple", "google", "web"]
    reason: str
    """why it failed or was skipped: the platform's own word; `notification_quota` on a push that arrived silently"""
    message: str
    """what a device has reported"""
    actor: str
    """who did it, as in the event log; absent where no call was the cause, and in lines of before it was kept"""


class InstanceHolder(TypedDict):
    identifier: Optional[str]
    """
    the holder's number in your own system; one active card per pass and identifier; kept and compared in Unicode's NFC
    form
    """
    name: Optional[str]
    email: Optional[str]
    """an e-mail address"""
    phone: Optional[str]
    """a telephone number in the form of E.164"""
    locale: Optional[str]
    """BCP 47, e.g. pt-BR"""


class InstanceLastPush(TypedDict):
    at: str
    """ISO 8601, UTC"""
    result: Literal["delivered", "skipped", "failed"]


class InstanceLinks(TypedDict):
    add: str
    apple: str
    google: str
    card: str
    qr: str


class InstanceLoyaltyRequired(TypedDict):
    """What is always there of InstanceLoyalty."""

    programId: str
    mode: Literal["POINTS", "STAMPS", "MONEY"]
    balance: int
    """in MONEY in the smallest unit of the currency"""
    pendingRewards: int
    tier: Optional[LoyaltyHolderTier]


class InstanceLoyalty(InstanceLoyaltyRequired, total=False):
    amount: Money


class InstanceResults(TypedDict):
    results: List[InstanceResultsResult]


class InstanceResultsResultRequired(TypedDict):
    """What is always there of InstanceResultsResult."""

    status: int


class InstanceResultsResult(InstanceResultsResultRequired, total=False):
    """One of `instance`, `error` is there."""

    instance: KnownInstance
    error: ItemError


class InstanceWallets(TypedDict):
    apple: int
    google: int
    web: int


class Invite(TypedDict):
    inviteId: str
    passId: str
    sweepId: Optional[str]
    status: Literal["queued", "sending", "sent", "unknown", "failed", "suppressed", "already_holder", "cancelled"]
    email: Optional[str]
    """null once the person was forgotten"""
    problem: Optional[str]
    """why it was not sent, or not yet: the mail server's reply in numbers, or a word"""
    instanceId: Optional[str]
    """the card that was made of it"""
    createdAt: str
    """ISO 8601, UTC"""
    sentAt: Optional[str]
    """ISO 8601, UTC"""
    acceptedAt: Optional[str]
    """ISO 8601, UTC"""


class InvitedPerson(TypedDict):
    personId: str
    email: Optional[str]
    name: str
    role: Literal["owner", "manager", "staff", "viewer"]
    partnerId: Optional[str]
    hasPin: bool
    """signs in at shared tills"""
    pending: bool
    """invited, and not joined yet"""
    createdAt: str
    """ISO 8601, UTC"""
    link: Optional[str]
    """signs the person in, once, where it cannot be mailed; null: it was mailed, or is not yours to give"""


class ItemErrorRequired(TypedDict):
    """What is always there of ItemError."""

    error: str
    code: str


class ItemError(ItemErrorRequired, total=False):
    """
    why an item was refused: an error body without a requestId; with `retryable` the same call again, under the same
    Idempotency-Key, does the rest; with `problems` it is `invalid_request`
    """

    retryable: Literal[True]
    problems: List[Problem]


class JoinForm(TypedDict):
    enabled: bool
    """whether the page is open, while the pass is published"""
    headline: Optional[str]
    text: Optional[str]
    image: Optional[Literal["iconUrl", "logoUrl", "stripUrl", "thumbnailUrl", "backgroundUrl", "heroUrl", "posterUrl"]]
    """which image of the pass stands above the form"""
    proof: Literal["none", "email"]
    """
    `email`: a person gets a card only after they have pressed a button in a mail; `none`: a person who names no address
    gets it at once. An address that is named is proven either way.
    """
    limitPerDay: Optional[int]
    """new cards on a day in the time zone of the workspace; null: no limit"""
    domainAllow: List[str]
    fields: List[JoinFormField]
    consents: List[JoinFormConsent]
    url: str
    """the page itself"""


class JoinFormConsent(TypedDict):
    key: str
    text: str
    required: bool


class JoinFormField(TypedDict):
    key: str
    """`name`, `email`, `phone`, or the key of an editable field of the pass"""
    required: bool
    label: Optional[str]


class KnownInstanceBodyRequired(TypedDict):
    """What is always there of KnownInstanceBody."""

    instanceId: str
    passId: str
    status: Literal["active", "voided"]
    barcode: Optional[str]
    addressable: bool
    """whether the holder may have values of their own"""
    holder: Optional[InstanceHolder]
    fields: Dict[str, Optional[str]]
    expiresAt: Optional[str]
    """ISO 8601, UTC"""
    partnerId: Optional[str]
    metadata: Dict[str, Optional[Union[str, float, bool]]]
    wallets: InstanceWallets
    loyalty: Optional[InstanceLoyalty]
    links: InstanceLinks
    externalRef: Optional[str]
    """yours, of its issue"""
    installedAt: Optional[str]
    """when a wallet took it first"""
    lastPush: Optional[InstanceLastPush]
    """the outcome of the last push of the card; a design that goes to all cards is not counted"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """
    when its holder, fields, expiry, metadata, status or points last changed; wallets that take it, and pushes, leave it
    """
    voidedAt: Optional[str]
    """ISO 8601, UTC"""
    voidReason: Optional[str]


class KnownInstanceBody(KnownInstanceBodyRequired, total=False):
    phoneGiven: str
    """what a store or a former version has given as telephone number of the holder and is none; absent: nothing"""
    details: InstanceDetails
    """in lists that were asked for with `include=details`; else absent"""
    expired: Literal[True]
    """where a card is read whose `expiresAt` has come; else absent"""


class KnownInstancePushed(KnownInstanceBody, Pushed):
    pass


class KnownInstanceUnchanged(KnownInstanceBody, Unchanged):
    pass


class KnownInstanceNotInstalled(KnownInstanceBody, NotInstalled):
    pass


class KnownInstanceUnpaid(KnownInstanceBody, Unpaid):
    pass


KnownInstance = Union["KnownInstancePushed", "KnownInstanceUnchanged", "KnownInstanceNotInstalled", "KnownInstanceUnpaid"]


class ListedOrder(TypedDict):
    orderId: str
    number: Optional[str]
    """what customers know it by, such as `#1003`; null: by its `orderId`"""
    storeId: Optional[str]
    passId: Optional[str]
    instanceId: Optional[str]
    status: Literal["pending", "processed", "cancelled"]
    """`pending`: it has no card, since it is not known yet, or not paid"""
    waiting: bool
    """it has no card: what is known of it counts as soon as it has one"""
    cancelled: bool
    total: Optional[Money]
    refunded: Optional[Money]
    points: int
    """what it earns after all that is known of it"""
    limitedBy: Optional[Literal[
        "per_day",
        "min_seconds_between",
        "instance_expired",
        "cancelled",
        "empty_order",
        "below_minimum",
    ]]
    """
    why it earns nothing: a limit of the program; `instance_expired`: the card had expired when it was made;
    `cancelled`; `empty_order`: there is no money, or none that was not refunded; `below_minimum`: less money than the
    rule wants, or than a point takes
    """
    earn: Optional[OrderEarn]
    """the earn rule that it was processed with; refunds go by it"""
    multiplier: float
    """how many times the tier of the card counted what it earns; 1 without"""
    partnerId: Optional[str]
    placedAt: Optional[str]
    """ISO 8601, UTC"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """ISO 8601, UTC"""
    holderName: Optional[str]
    """whose card it is: the holder's name, or else e-mail address, telephone or customer number"""


class LoadedValueBody(TypedDict):
    """money that was put on a card, and what it holds then"""

    entryId: str
    instanceId: str
    programId: str
    loaded: Money
    balance: Money


class LoadedValuePushed(LoadedValueBody, Pushed):
    pass


class LoadedValueUnchanged(LoadedValueBody, Unchanged):
    pass


class LoadedValueNotInstalled(LoadedValueBody, NotInstalled):
    pass


class LoadedValueUnpaid(LoadedValueBody, Unpaid):
    pass


LoadedValue = Union["LoadedValuePushed", "LoadedValueUnchanged", "LoadedValueNotInstalled", "LoadedValueUnpaid"]


class LoyaltyHolderRequired(TypedDict):
    """What is always there of LoyaltyHolder."""

    identifier: str
    instanceId: str
    passId: str
    programId: str
    mode: Literal["POINTS", "STAMPS", "MONEY"]
    balance: int
    """
    below zero: points that were spent before their earn was undone; in MONEY in the smallest unit of the currency
    """
    tier: Optional[LoyaltyHolderTier]
    lifetimePoints: int
    """all that was ever earned, without what was undone; corrections leave it alone"""
    pendingRewards: int
    threshold: Optional[int]
    cost: Optional[int]
    nextExpiry: Optional[LoyaltyHolderNextExpiry]


class LoyaltyHolder(LoyaltyHolderRequired, total=False):
    amount: Money


class LoyaltyHolderNextExpiry(TypedDict):
    points: int
    at: str
    """ISO 8601, UTC"""


class LoyaltyHolderTier(TypedDict):
    key: str
    title: str


class Message(TypedDict):
    messageId: str
    passId: str
    text: Optional[str]
    """null for messages of before texts were kept"""
    audience: Optional[MessageAudience]
    state: Literal["planned", "running", "finished", "cancelled", "unsent"]
    """
    `planned` waits for `sendAt`; `cancelled` was taken back before; `unsent` could not be sent then, for `unsentReason`
    """
    unsentReason: Optional[str]
    """code of the error; `too_late`: its end had come before it could go out"""
    recipients: int
    """cards that it was paid for"""
    delivered: int
    """of them, those for which a wallet was notified"""
    failed: int
    """those whose wallets have failed for good; their credits came back"""
    skipped: int
    """those that were removed, or matched no more, before their turn; their credits came back"""
    waiting: int
    """those whose wallets are still to be notified"""
    createdAt: str
    """when it went out; when it was made, as long as it has not"""
    sendAt: Optional[str]
    """null: it was sent at once"""
    endsAt: Optional[str]
    """when its text leaves the cards"""
    endedAt: Optional[str]
    """when its text began to leave them, at its end or taken back"""
    finishedAt: Optional[str]
    """when the last card had its turn; some may still wait"""


class MessageAudience(TypedDict, total=False):
    installed: Literal[True, "apple", "google", "web"]
    """true, as without it: in any wallet; or the kind of wallet that holds the card"""
    fields: Dict[str, Optional[str]]
    """what the card shows in each of these fields, its own value or that of the pass; null: nothing"""
    tier: str
    """
    key of the tier of its program that the holder is in; where that has none, what the card shows in the field `tier`
    """
    balance: MessageAudienceBalance
    lastSeen: MessageAudienceLastSeen
    partnerId: str
    awayDays: int
    """the card has earned nothing for so many days, and is older than that"""
    rewardWaiting: Literal[True]
    """a reward is unlocked, or the balance is enough for the first one"""
    consent: str
    """key of a consent of the join page that the holder has agreed to, and not taken back"""


MessageAudienceBalanceWords = TypedDict("MessageAudienceBalanceWords", {"from": "int"}, total=False)


class MessageAudienceBalance(MessageAudienceBalanceWords, total=False):
    to: int


class MessageAudienceLastSeen(TypedDict, total=False):
    after: str
    """a wallet fetched the card, or its page was opened, since then"""
    before: str
    """and that has not happened since then"""


class MessageCost(TypedDict):
    recipients: int
    """installed cards that it would go to now"""
    credits: int
    """credits that it would cost"""
    announcementsLeft: Optional[int]
    """
    messages to all cards that Google Wallet would announce now, of three in 24 hours; the next ones arrive without a
    sound. A card whose own changes were announced has fewer. null: no card of the pass is there
    """


class Money(TypedDict):
    """an amount of money, e.g. `{"amount":"12.50","currency":"EUR"}`"""

    amount: str
    """a decimal number such as 12.50"""
    currency: Currency


class MoneyMoved(TypedDict):
    amount: str
    """a decimal number such as 12.50; below zero: taken"""
    currency: Currency


class NewFixedExpiry(TypedDict):
    kind: Literal["fixed"]
    at: str
    """ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z"""


class NewInstance(TypedDict, total=False):
    externalRef: str
    """Your reference of this effect: a repeat answers the original result."""
    holder: Optional[NewInstanceHolder]
    fields: Dict[str, Optional[str]]
    barcode: Optional[str]
    """kept and compared in Unicode's NFC form"""
    expiresAt: Optional[str]
    """ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z"""
    partnerId: Optional[str]
    metadata: Dict[str, Optional[Union[str, float, bool]]]
    value: Money
    onExisting: Literal["update"]
    """
    the card that the holder has takes over the details of the holder and the fields that are sent, and nothing else
    """


class NewInstanceHolder(TypedDict, total=False):
    identifier: Optional[str]
    """
    the holder's number in your own system; one active card per pass and identifier; kept and compared in Unicode's NFC
    form
    """
    name: Optional[str]
    email: Optional[str]
    """an e-mail address"""
    phone: Optional[str]
    """
    a telephone number, however it is written; one without its country is of the country of the workspace. It is kept
    and answered in the form of E.164
    """
    locale: Optional[str]
    """BCP 47, e.g. pt-BR"""


class NewJoinFormRequired(TypedDict):
    """What is always there of NewJoinForm."""

    enabled: bool
    """whether the page is open, while the pass is published"""


class NewJoinForm(NewJoinFormRequired, total=False):
    fields: List[NewJoinFormField]
    headline: Optional[str]
    text: Optional[str]
    image: Optional[Literal["iconUrl", "logoUrl", "stripUrl", "thumbnailUrl", "backgroundUrl", "heroUrl", "posterUrl"]]
    """which image of the pass stands above the form"""
    consents: List[JoinFormConsent]
    proof: Literal["none", "email"]
    """
    `email`: a person gets a card only after they have pressed a button in a mail; `none`: a person who names no address
    gets it at once. An address that is named is proven either way.
    """
    limitPerDay: Optional[int]
    """new cards on a day in the time zone of the workspace; null: no limit"""
    domainAllow: List[str]


class NewJoinFormFieldRequired(TypedDict):
    """What is always there of NewJoinFormField."""

    key: str
    """`name`, `email`, `phone`, or the key of an editable field of the pass"""


class NewJoinFormField(NewJoinFormFieldRequired, total=False):
    required: bool
    label: Optional[str]


class NewOrderCustomer(TypedDict, total=False):
    id: Optional[str]
    """the holder's identifier; kept and compared in Unicode's NFC form"""
    email: Optional[str]
    """an e-mail address; kept and compared in Unicode's NFC form"""
    phone: Optional[str]
    """
    a telephone number, however it is written; one without its country is of the country of the workspace. It is kept
    and answered in the form of E.164
    """
    name: Optional[str]


class NewPassBarcode(TypedDict, total=False):
    mode: Literal["simple", "unique", "pool", "none"]
    format: Literal["qr", "pdf417", "aztec", "code128", "ean13", "code39", "codabar", "itf"]
    value: Optional[str]
    """kept and compared in Unicode's NFC form"""


class NewPassColors(TypedDict, total=False):
    background: Optional[str]
    """a colour such as #10324a"""
    foreground: Optional[str]
    """a colour such as #10324a"""
    label: Optional[str]
    """a colour such as #10324a"""


class NewPassDate(TypedDict, total=False):
    start: str
    """ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z"""
    end: Optional[str]
    """ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z"""
    field: str
    """in the place of `start`: a field with the format `dateTime` or `relative`, whose value is it"""


class NewPassFieldRequired(TypedDict):
    """What is always there of NewPassField."""

    key: str
    """a small letter, then small letters, digits and _, at most 40 together"""
    label: str
    section: Literal["header", "primary", "secondary", "auxiliary", "back"]


class NewPassField(NewPassFieldRequired, total=False):
    value: Optional[str]
    """what holders without a value of their own see"""
    editable: bool
    """whether holders may have a value of their own"""
    changeMessage: Optional[str]
    """shown on change; %@ is replaced by the new value"""
    untilProgram: bool
    """whether it is shown only until a program is launched, such as a text about the reward"""
    format: Literal[
        "text",
        "number",
        "currency",
        "percent",
        "date",
        "time",
        "dateTime",
        "relative",
        "link",
        "phone",
        "email",
        "address",
    ]
    """
    what its values are: wallets write them in the language of the holder. `number` 12.5, `percent` 12.5 (of a hundred),
    `currency` 12.50, `date` 2027-03-01, `time` 18:30, `dateTime` and `relative` (such as "in 3 days")
    2027-03-01T18:30:00Z; `link` https://example.com, `phone`, `email` and `address` open where they are touched.
    Absent: text
    """
    currency: Currency
    align: Literal["left", "center", "right"]
    """its alignment in Apple Wallet; not in the sections `primary` and `back`"""


class NewPassPool(TypedDict, total=False):
    lowAt: int
    """the pool is low, and a `pool.low` event says so, once no more than so many codes are left"""


class NewPointsProgramReward(TypedDict):
    title: str
    """what the reward is, e.g. Free coffee"""
    cost: int
    """points that a reward costs, in POINTS"""


class NewStampsProgramRewardRequired(TypedDict):
    """What is always there of NewStampsProgramReward."""

    title: str
    """what the reward is, e.g. Free coffee"""


class NewStampsProgramReward(NewStampsProgramRewardRequired, total=False):
    cost: Any


class NewlyMadeDevice(TypedDict):
    deviceId: str
    name: str
    partnerId: Optional[str]
    paired: bool
    createdAt: str
    """ISO 8601, UTC"""
    code: str
    """such as 7KQ4-MX2P: pairs the till, once, within 15 minutes; to be typed, or shown as a QR code"""


class NfcKey(TypedDict):
    publicKey: str
    """in PEM"""
    privateKey: str
    """PKCS#8 in PEM"""


class NoExpiry(TypedDict):
    kind: Literal["none"]


class Obstacles(TypedDict):
    """
    apple: iPhones refuse new cards, whose certificate is for development, or has expired. google: neither the workspace
    nor the operator has an account at Google Wallet. address: phones ask for no changes, since the public address is
    not https. mail: the operator has set no mail server, and no mail leaves.
    """

    apple: Optional[Literal["development", "expired"]]
    google: Optional[Literal["no_account"]]
    address: Optional[Literal["not_https"]]
    mail: Optional[Literal["no_server"]]


class Order(TypedDict):
    orderId: str
    number: Optional[str]
    """what customers know it by, such as `#1003`; null: by its `orderId`"""
    storeId: Optional[str]
    passId: Optional[str]
    instanceId: Optional[str]
    status: Literal["pending", "processed", "cancelled"]
    """`pending`: it has no card, since it is not known yet, or not paid"""
    waiting: bool
    """it has no card: what is known of it counts as soon as it has one"""
    cancelled: bool
    total: Optional[Money]
    refunded: Optional[Money]
    points: int
    """what it earns after all that is known of it"""
    limitedBy: Optional[Literal[
        "per_day",
        "min_seconds_between",
        "instance_expired",
        "cancelled",
        "empty_order",
        "below_minimum",
    ]]
    """
    why it earns nothing: a limit of the program; `instance_expired`: the card had expired when it was made;
    `cancelled`; `empty_order`: there is no money, or none that was not refunded; `below_minimum`: less money than the
    rule wants, or than a point takes
    """
    earn: Optional[OrderEarn]
    """the earn rule that it was processed with; refunds go by it"""
    multiplier: float
    """how many times the tier of the card counted what it earns; 1 without"""
    partnerId: Optional[str]
    placedAt: Optional[str]
    """ISO 8601, UTC"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """ISO 8601, UTC"""
    holderName: Optional[str]
    """whose card it is: the holder's name, or else e-mail address, telephone or customer number"""
    items: Optional[List[OrderItem]]
    refunds: List[OrderRefund]


class OrderEarn(TypedDict):
    perCurrencyUnit: float
    """points for each unit of the currency, with at most 3 decimals; 1 in POINTS by default"""
    currency: Optional[Currency]
    rates: Dict[str, str]
    perOrder: int
    """points for each order; 1 in STAMPS by default"""
    minOrder: Optional[Money]


class OrderItem(TypedDict, total=False):
    id: str
    sku: Optional[str]
    name: Optional[str]
    quantity: float
    total: Money


class OrderRefund(TypedDict):
    refundId: str
    amount: Money
    createdAt: str
    """ISO 8601, UTC"""


class Partner(TypedDict):
    partnerId: str
    name: str
    externalId: Optional[str]
    """
    the partner's number in your own system; no other partner of the workspace has it; kept and compared in Unicode's
    NFC form
    """
    location: Optional[PartnerLocation]
    """where it is: cards issued at it have the ten places of their pass that are nearest to it"""
    metadata: Dict[str, Optional[Union[str, float, bool]]]
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """ISO 8601, UTC"""


class PartnerLocation(TypedDict):
    latitude: float
    longitude: float


PartnerStatementWords = TypedDict("PartnerStatementWords", {"from": "str"})


class PartnerStatement(PartnerStatementWords):
    partnerId: str
    name: str
    month: str
    timezone: str
    to: str
    """ISO 8601, UTC: the first moment of the next month"""
    programs: List[PartnerStatementProgram]
    """a line per pass with cards or entries; programId is null where the pass has no program"""
    totals: PartnerStatementTotals


class PartnerStatementProgram(TypedDict):
    programId: Optional[str]
    passId: str
    title: str
    """of the pass"""
    cardsIssued: int
    awards: int
    """earns of at least one point"""
    pointsIssued: int
    redemptions: int
    pointsRedeemed: int
    rewardsRedeemed: int
    """redemptions less those that were undone in the month, of whatever month they were"""
    reversals: int
    """earns and redemptions that were undone in the month; of an order, each time that it lost points"""
    pointsReversed: int
    """taken away again by undoing earns, and by refunds and cancellations of orders"""
    pointsReturned: int
    """given back by undoing redemptions"""
    pointsAdjusted: int
    """by hand; below zero when more was taken than given"""


class PartnerStatementTotals(TypedDict):
    cardsIssued: int
    awards: int
    """earns of at least one point"""
    pointsIssued: int
    redemptions: int
    pointsRedeemed: int
    rewardsRedeemed: int
    """redemptions less those that were undone in the month, of whatever month they were"""
    reversals: int
    """earns and redemptions that were undone in the month; of an order, each time that it lost points"""
    pointsReversed: int
    """taken away again by undoing earns, and by refunds and cancellations of orders"""
    pointsReturned: int
    """given back by undoing redemptions"""
    pointsAdjusted: int
    """by hand; below zero when more was taken than given"""


class PassRequired(TypedDict):
    """What is always there of Pass."""

    passId: str
    status: Literal["draft", "published", "archived"]
    title: str
    type: Literal["loyalty", "coupon", "eventTicket", "giftCard", "generic"]
    details: Optional[str]
    terms: Optional[str]
    expiry: Union[NoExpiry, FixedExpiry, ExpiryAfterIssue]
    """when cards of this pass expire"""
    fields: List[PassField]
    colors: PassColors
    barcode: PassBarcode
    pool: PassPool
    iconUrl: Optional[str]
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    logoUrl: Optional[str]
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    stripUrl: Optional[str]
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    thumbnailUrl: Optional[str]
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    backgroundUrl: Optional[str]
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    heroUrl: Optional[str]
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    posterUrl: Optional[str]
    """
    of the type `generic` alone: the whole card from iOS 27 on. https, 2,048 characters at most; a PNG, JPEG or WebP of
    20 MB at most. It is fetched once and stored. Or the `url` that `POST /images` has answered in the same workspace
    """
    locations: List[PassLocation]
    """
    where phones bring the card up. A card has ten: those nearest to the partner at which it was issued, if that has a
    location, or else the first
    """
    beacons: List[PassBeacon]
    """Bluetooth beacons near which iPhones show the card on the lock screen"""
    dates: List[PassDate]
    """
    when the card matters: wallets bring it up then. The first is that of an event ticket at Google, and of iPhones
    before iOS 18
    """
    actions: List[PassAction]
    """
    buttons of the card, the most important first: `kind` is what they are for. iPhones write the words of the kind
    themselves, the others write `title`
    """
    modules: List[PassModule]
    """
    offers and links below the card, in their order: modules at Google, links on the back in Apple Wallet and on pages
    """
    walletOptions: WalletOptions
    stamps: PassStamps
    metadata: Dict[str, Optional[Union[str, float, bool]]]
    language: Optional[str]
    """BCP 47: that of its texts; null: that of the workspace"""
    translations: Dict[str, Translation]
    """its texts in other languages"""
    join: Optional[JoinForm]
    images: PassImages
    programId: Optional[str]
    counts: PassCounts
    rollout: Optional[PassRollout]
    """how far the newest change of the design, or message, has come to the installed cards"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """ISO 8601, UTC"""


class Pass(PassRequired, total=False):
    warnings: List[PassWarning]
    moreLocations: int
    """in lists: how many places there are besides the ten of `locations`"""


class PassAction(TypedDict):
    kind: Literal[
        "shop",
        "order",
        "offers",
        "benefits",
        "topUp",
        "call",
        "appointment",
        "schedule",
        "stay",
        "car",
        "flight",
        "music",
        "trailer",
    ]
    title: str
    to: str
    """an address of the web such as https://example.com/menu, or with `call` a telephone number"""


class PassBarcode(TypedDict):
    mode: Literal["simple", "unique", "pool", "none"]
    format: Literal["qr", "pdf417", "aztec", "code128", "ean13", "code39", "codabar", "itf"]
    value: Optional[str]
    """kept and compared in Unicode's NFC form"""


class PassBeaconRequired(TypedDict):
    """What is always there of PassBeacon."""

    uuid: str
    """the proximity UUID that it sends"""


class PassBeacon(PassBeaconRequired, total=False):
    major: int
    minor: int
    relevantText: Optional[str]


class PassColors(TypedDict):
    background: Optional[str]
    """a colour such as #10324a"""
    foreground: Optional[str]
    """a colour such as #10324a"""
    label: Optional[str]
    """a colour such as #10324a"""


class PassCounts(TypedDict):
    issued: int
    installed: int
    voided: int


class PassDate(TypedDict, total=False):
    start: str
    """ISO 8601, UTC"""
    end: Optional[str]
    """ISO 8601, UTC"""
    field: str
    """in the place of `start`: a field with the format `dateTime` or `relative`, whose value is it"""


class PassFieldRequired(TypedDict):
    """What is always there of PassField."""

    key: str
    """a small letter, then small letters, digits and _, at most 40 together"""
    label: str
    value: Optional[str]
    """what holders without a value of their own see"""
    section: Literal["header", "primary", "secondary", "auxiliary", "back"]
    editable: bool
    """whether holders may have a value of their own"""
    changeMessage: Optional[str]
    """shown on change; %@ is replaced by the new value"""


class PassField(PassFieldRequired, total=False):
    untilProgram: bool
    """whether it is shown only until a program is launched, such as a text about the reward"""
    format: Literal[
        "text",
        "number",
        "currency",
        "percent",
        "date",
        "time",
        "dateTime",
        "relative",
        "link",
        "phone",
        "email",
        "address",
    ]
    """
    what its values are: wallets write them in the language of the holder. `number` 12.5, `percent` 12.5 (of a hundred),
    `currency` 12.50, `date` 2027-03-01, `time` 18:30, `dateTime` and `relative` (such as "in 3 days")
    2027-03-01T18:30:00Z; `link` https://example.com, `phone`, `email` and `address` open where they are touched.
    Absent: text
    """
    currency: Currency
    align: Literal["left", "center", "right"]
    """its alignment in Apple Wallet; not in the sections `primary` and `back`"""


class PassImages(TypedDict, total=False):
    iconUrl: PassImagesHeroUrl
    logoUrl: PassImagesHeroUrl
    stripUrl: PassImagesHeroUrl
    thumbnailUrl: PassImagesHeroUrl
    backgroundUrl: PassImagesHeroUrl
    heroUrl: PassImagesHeroUrl
    posterUrl: PassImagesHeroUrl


class PassImagesHeroUrl(TypedDict):
    url: str
    """where the image is served from; it changes when the image does"""
    width: int
    height: int


class PassLocationRequired(TypedDict):
    """What is always there of PassLocation."""

    latitude: float
    longitude: float


class PassLocation(PassLocationRequired, total=False):
    relevantText: Optional[str]


class PassModuleRequired(TypedDict):
    """What is always there of PassModule."""

    header: str
    url: str
    """an https address such as https://example.com/offers"""


class PassModule(PassModuleRequired, total=False):
    body: Optional[str]


class PassPool(TypedDict):
    total: int
    available: int
    assigned: int
    lowAt: int
    """the pool is low, and a `pool.low` event says so, once no more than so many codes are left"""
    lowSince: Optional[str]
    """since when it is low"""


class PassRollout(TypedDict):
    kind: Literal["design", "message"]
    state: Literal["running", "finished"]
    cards: int
    """installed cards when it began"""
    done: int
    """cards whose push is on its way"""
    skipped: int
    """cards that no credit was left for: a top-up delivers them"""
    startedAt: str
    """ISO 8601, UTC"""
    finishedAt: Optional[str]
    """ISO 8601, UTC"""


class PassStampChanges(TypedDict, total=False):
    """how cards of a program in STAMPS draw them: one that is absent stays"""

    over: Literal["plain", "image"]
    """what is behind them: a plain ground, or the strip or hero image of the pass"""
    icon: Optional[StampIcon]
    color: Optional[str]
    """of the stamps; null: that of the texts of the card"""
    markColor: Optional[str]
    """of what a stamp shows; null: one that can be seen on it"""


class PassStamps(TypedDict):
    """how cards of a program in STAMPS draw them"""

    over: Literal["plain", "image"]
    """what is behind them: a plain ground, or the strip or hero image of the pass"""
    icon: Optional[StampIcon]
    color: Optional[str]
    """of the stamps; null: that of the texts of the card"""
    markColor: Optional[str]
    """of what a stamp shows; null: one that can be seen on it"""


class PassWarningRequired(TypedDict):
    """What is always there of PassWarning."""

    code: str
    message: str


class PassWarning(PassWarningRequired, total=False):
    language: str
    """of `translation_incomplete`"""
    missing: List[str]
    """the texts that a translation lacks: `fields.tier.label`"""


class Person(TypedDict):
    personId: str
    email: Optional[str]
    name: str
    role: Literal["owner", "manager", "staff", "viewer"]
    partnerId: Optional[str]
    hasPin: bool
    """signs in at shared tills"""
    pending: bool
    """invited, and not joined yet"""
    createdAt: str
    """ISO 8601, UTC"""


class PersonLink(TypedDict):
    link: Optional[str]
    """signs the person in, once, where it cannot be mailed; null: it was mailed, or is not yours to give"""


class PoolBarcode(TypedDict):
    barcode: str
    state: Literal["available", "assigned"]
    instanceId: Optional[str]
    assignedAt: Optional[str]
    """ISO 8601, UTC"""


class PostingBodyRequired(TypedDict):
    """What is always there of PostingBody."""

    entryId: str
    instanceId: str
    programId: str
    points: int
    """what was added to the balance; below zero: taken from it"""
    balance: int
    lifetimePoints: int
    threshold: Optional[int]
    cost: Optional[int]
    pendingRewards: int


class PostingBody(PostingBodyRequired, total=False):
    """an entry, and the account after it"""

    limitedBy: Literal["min_seconds_between", "per_day"]


class PostingPushed(PostingBody, Pushed):
    pass


class PostingUnchanged(PostingBody, Unchanged):
    pass


class PostingNotInstalled(PostingBody, NotInstalled):
    pass


class PostingUnpaid(PostingBody, Unpaid):
    pass


Posting = Union["PostingPushed", "PostingUnchanged", "PostingNotInstalled", "PostingUnpaid"]


class PreviewedPostingRequired(TypedDict):
    """What is always there of PreviewedPosting."""

    points: int
    """what would be added"""
    balance: Optional[int]
    pendingRewards: Optional[int]
    rewardsUnlocked: Optional[int]


class PreviewedPosting(PreviewedPostingRequired, total=False):
    """the account as it would be; nulls where no card was named"""

    limitedBy: Literal["min_seconds_between", "per_day", "instance_expired"]


class PrivacyRequest(TypedDict):
    requestId: str
    topic: Literal["data_request", "customer_redact", "shop_redact"]
    customerId: Optional[str]
    """the store's number of the customer"""
    orderIds: List[str]
    """the store's numbers of the orders"""
    instanceIds: List[str]
    """cards of the customer, or that were erased"""
    receivedAt: str
    """ISO 8601, UTC"""
    doneAt: Optional[str]


class ProblemRequired(TypedDict):
    """What is always there of Problem."""

    path: str
    """
    what is wrong: `fields[0].key` in the body, `line 12` in a table, the name of a parameter or header; empty for the
    whole of it
    """
    rule: Literal[
        "required",
        "type",
        "unknown",
        "enum",
        "reserved",
        "blank",
        "pattern",
        "check_digit",
        "format",
        "min_length",
        "max_length",
        "min_items",
        "max_items",
        "min_properties",
        "max_properties",
        "min_value",
        "max_value",
        "more_than",
        "less_than",
        "multiple_of",
        "max_decimals",
        "future",
        "past",
        "max_days_ago",
        "unique",
        "excluded",
        "reference",
        "fixed",
        "syntax",
        "other",
    ]
    """what it breaks; take one that you do not know for `other`"""
    message: str
    """what to fix, without the path, to be shown at a field. May be reworded: never match on it"""


class Problem(ProblemRequired, total=False):
    """one thing that is wrong with a request"""

    part: Literal["query", "path", "header"]
    """the part of the request; absent for the body"""
    limit: Union[float, str, List[Optional[Union[str, float, bool]]]]
    """what the rule asks for: a number, the name of a format, or the list of what is possible"""


class ProcessedOrderBodyRequired(TypedDict):
    """What is always there of ProcessedOrderBody."""

    orderId: str
    instanceId: str
    issued: bool
    """whether the card was issued for this order"""
    pointsAwarded: int
    balance: int
    pendingRewards: int
    links: InstanceLinks


class ProcessedOrderBody(ProcessedOrderBodyRequired, total=False):
    limitedBy: Literal[
        "per_day",
        "min_seconds_between",
        "instance_expired",
        "cancelled",
        "empty_order",
        "below_minimum",
    ]
    """
    why it earns nothing: a limit of the program; `instance_expired`: the card had expired when it was made;
    `cancelled`; `empty_order`: there is no money, or none that was not refunded; `below_minimum`: less money than the
    rule wants, or than a point takes
    """


class ProcessedOrderPushed(ProcessedOrderBody, Pushed):
    pass


class ProcessedOrderUnchanged(ProcessedOrderBody, Unchanged):
    pass


class ProcessedOrderNotInstalled(ProcessedOrderBody, NotInstalled):
    pass


class ProcessedOrderUnpaid(ProcessedOrderBody, Unpaid):
    pass


ProcessedOrder = Union["ProcessedOrderPushed", "ProcessedOrderUnchanged", "ProcessedOrderNotInstalled", "ProcessedOrderUnpaid"]


class Program(TypedDict):
    programId: str
    passId: str
    mode: Literal["POINTS", "STAMPS", "MONEY"]
    status: Literal["not_launched", "active", "paused"]
    currency: Optional[Currency]
    """of the money of the cards, in MONEY; else null"""
    maxBalance: Optional[Money]
    """what a card may hold in MONEY, in the currency of the program; null: any amount"""
    reward: ProgramReward
    rewards: List[ProgramWithHistoryReward]
    """in POINTS; the first is `reward`, which the cards show"""
    threshold: Optional[int]
    """stamps that unlock a reward, in STAMPS"""
    tiers: List[ProgramTier]
    """the lowest first"""
    earn: OrderEarn
    """
    what an order earns. One in another currency than `currency` is counted by its rate. `currency` is null in what a
    former version has written: any counts, one for one
    """
    expiry: ProgramExpiry
    limits: ProgramLimits
    """what a card may earn in a day, how often, and what an award may give"""
    refundPolicy: Literal["debt", "within_balance"]
    pointName: ProgramPointName
    """what one point is called, and several"""
    drawsStamps: bool
    """whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero images of the pass"""
    launchedAt: Optional[str]
    """ISO 8601, UTC"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """ISO 8601, UTC"""


class ProgramChangesEarn(TypedDict, total=False):
    perCurrencyUnit: float
    """points for each unit of the currency, with at most 3 decimals; 1 in POINTS by default"""
    currency: Currency
    rates: Dict[str, Optional[str]]
    """what one unit of another currency is worth in this one; a rate that is not named stays, null takes it away"""
    perOrder: int
    """points for each order; 1 in STAMPS by default"""
    minOrder: Optional[Money]


class ProgramChangesExpiry(TypedDict, total=False):
    months: Optional[int]
    """how long points last; null for ever"""


class ProgramChangesLimits(TypedDict, total=False):
    perDay: Optional[int]
    minSecondsBetween: Optional[int]
    perAward: Optional[int]
    """the most that one award may give, before what a tier makes of it; more is refused"""
    perAwardByRole: ProgramChangesLimitsPerAwardByRole
    """the same for people of a role, in the place of `perAward`; a role that is not named stays, null takes it away"""


class ProgramChangesLimitsPerAwardByRole(TypedDict, total=False):
    owner: Optional[int]
    manager: Optional[int]
    staff: Optional[int]
    viewer: Optional[int]


class ProgramChangesPointName(TypedDict, total=False):
    one: str
    other: str


class ProgramChangesRewardRequired(TypedDict):
    """What is always there of ProgramChangesReward."""

    title: str
    """what the reward is, e.g. Free coffee"""
    cost: int
    """points that a reward costs, in POINTS"""


class ProgramChangesReward(ProgramChangesRewardRequired, total=False):
    rewardId: str
    """which of the rewards it is; absent: a new one"""
    status: Literal["active", "hidden"]


class ProgramChangesRewardItem(TypedDict, total=False):
    title: str
    """what the reward is, e.g. Free coffee"""
    cost: Optional[int]
    """points that a reward costs, in POINTS"""


ProgramChangesTierRequiredWords = TypedDict("ProgramChangesTierRequiredWords", {"from": "int"})


class ProgramChangesTierRequired(ProgramChangesTierRequiredWords):
    """What is always there of ProgramChangesTier."""

    key: str
    """a name such as gold"""
    title: str
    """what the card shows in the field `tier`, where its pass has one"""


class ProgramChangesTier(ProgramChangesTierRequired, total=False):
    multiplier: float
    """what its holders earn counts so many times, rounded down; at most 3 decimals, 1 by default"""


class ProgramExpiry(TypedDict):
    months: Optional[int]
    """how long points last; null for ever"""


class ProgramLimits(TypedDict):
    perDay: Optional[int]
    minSecondsBetween: Optional[int]
    perAward: Optional[int]
    """the most that one award may give, before what a tier makes of it; more is refused"""
    perAwardByRole: ProgramLimitsPerAwardByRole
    """the same for people of a role, in the place of `perAward`"""


class ProgramLimitsPerAwardByRole(TypedDict, total=False):
    owner: int
    manager: int
    staff: int
    viewer: int


class ProgramPointName(TypedDict):
    one: str
    other: str


class ProgramPreview(TypedDict):
    cards: int
    """how many cards would show something else"""
    credits: int
    """what the pushes to those that are installed would cost"""
    rewardedCards: int
    """how many cards would have a reward by it: in STAMPS one is unlocked, in POINTS the balance is enough for one"""
    rewards: int
    """how many rewards these are"""


class ProgramReward(TypedDict):
    title: str
    """what the reward is, e.g. Free coffee; empty in MONEY"""
    cost: Optional[int]
    """points that a reward costs, in POINTS"""


class ProgramSummary(TypedDict):
    programId: str
    issued: int
    redeemed: int
    expired: int
    reversed: int
    adjusted: int
    outstanding: int
    """the sum of all balances"""
    trialBalance: ProgramSummaryTrialBalance
    """two independent counts of what is outstanding"""
    lastAudit: Optional[ProgramSummaryLastAudit]
    """when the whole ledger of the workspace was last recounted, and how much was wrong"""


class ProgramSummaryLastAudit(TypedDict):
    at: str
    """ISO 8601, UTC"""
    findings: int


class ProgramSummaryTrialBalance(TypedDict):
    entries: int
    """issued + adjusted − redeemed − expired − reversed"""
    balances: int
    difference: int
    """0: the ledger and the balances agree"""


ProgramTierWords = TypedDict("ProgramTierWords", {"from": "int"})


class ProgramTier(ProgramTierWords):
    key: str
    """a name such as gold"""
    title: str
    """what the card shows in the field `tier`, where its pass has one"""
    multiplier: float
    """what its holders earn counts so many times, rounded down; at most 3 decimals, 1 by default"""


class ProgramWithHistoryRequired(TypedDict):
    """What is always there of ProgramWithHistory."""

    programId: str
    passId: str
    mode: Literal["POINTS", "STAMPS", "MONEY"]
    status: Literal["not_launched", "active", "paused"]
    currency: Optional[Currency]
    """of the money of the cards, in MONEY; else null"""
    maxBalance: Optional[Money]
    """what a card may hold in MONEY, in the currency of the program; null: any amount"""
    reward: ProgramReward
    rewards: List[ProgramWithHistoryReward]
    """in POINTS; the first is `reward`, which the cards show"""
    threshold: Optional[int]
    """stamps that unlock a reward, in STAMPS"""
    tiers: List[ProgramTier]
    """the lowest first"""
    earn: OrderEarn
    """
    what an order earns. One in another currency than `currency` is counted by its rate. `currency` is null in what a
    former version has written: any counts, one for one
    """
    expiry: ProgramExpiry
    limits: ProgramLimits
    """what a card may earn in a day, how often, and what an award may give"""
    refundPolicy: Literal["debt", "within_balance"]
    pointName: ProgramPointName
    """what one point is called, and several"""
    drawsStamps: bool
    """whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero images of the pass"""
    launchedAt: Optional[str]
    """ISO 8601, UTC"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """ISO 8601, UTC"""
    history: List[ProgramWithHistoryHistoryItem]
    """the newest states, newest first, and which key brought it there"""


class ProgramWithHistory(ProgramWithHistoryRequired, total=False):
    warnings: List[PassWarning]


class ProgramWithHistoryHistoryItem(TypedDict):
    status: Literal["not_launched", "active", "paused"]
    at: str
    """ISO 8601, UTC"""
    actor: str


class ProgramWithHistoryReward(TypedDict):
    rewardId: str
    title: str
    cost: int
    status: Literal["active", "hidden"]


class RecoveredEvents(TypedDict):
    recovered: int
    """events that are sent again"""
    nextSince: Optional[str]
    """where there are more: call again with it; null when all were looked at"""


class RedeemableReward(TypedDict):
    rewardId: str
    title: str
    cost: Optional[int]
    """points that it takes; null in STAMPS"""
    unlockedAt: Optional[str]
    """in STAMPS; null in POINTS"""


class RedemptionPostingBody(TypedDict):
    entryId: str
    instanceId: str
    programId: str
    rewardId: str
    rewardTitle: str
    spent: int
    """points taken; 0 in STAMPS, which unlocking the reward has taken"""
    balance: int
    pendingRewards: int


class RedemptionPostingPushed(RedemptionPostingBody, Pushed):
    pass


class RedemptionPostingUnchanged(RedemptionPostingBody, Unchanged):
    pass


class RedemptionPostingNotInstalled(RedemptionPostingBody, NotInstalled):
    pass


class RedemptionPostingUnpaid(RedemptionPostingBody, Unpaid):
    pass


RedemptionPosting = Union["RedemptionPostingPushed", "RedemptionPostingUnchanged", "RedemptionPostingNotInstalled", "RedemptionPostingUnpaid"]


class RefundedOrderBody(TypedDict):
    orderId: str
    waiting: bool
    """the order is not known yet: this counts as soon as it is"""
    refunded: Optional[Money]
    points: int
    """what the order earns after this"""
    pointsTaken: int
    """taken from the balance by this call"""
    instanceId: Optional[str]
    balance: Optional[int]
    pendingRewards: Optional[int]
    refundId: str


class RefundedOrderPushed(RefundedOrderBody, Pushed):
    pass


class RefundedOrderUnchanged(RefundedOrderBody, Unchanged):
    pass


class RefundedOrderNotInstalled(RefundedOrderBody, NotInstalled):
    pass


class RefundedOrderUnpaid(RefundedOrderBody, Unpaid):
    pass


RefundedOrder = Union["RefundedOrderPushed", "RefundedOrderUnchanged", "RefundedOrderNotInstalled", "RefundedOrderUnpaid"]


class RefundedValueBody(TypedDict):
    """money that was given back, and what is left of the charge to give back"""

    entryId: str
    instanceId: str
    programId: str
    refunded: Money
    refundable: Money
    refundOf: str
    balance: Money


class RefundedValuePushed(RefundedValueBody, Pushed):
    pass


class RefundedValueUnchanged(RefundedValueBody, Unchanged):
    pass


class RefundedValueNotInstalled(RefundedValueBody, NotInstalled):
    pass


class RefundedValueUnpaid(RefundedValueBody, Unpaid):
    pass


RefundedValue = Union["RefundedValuePushed", "RefundedValueUnchanged", "RefundedValueNotInstalled", "RefundedValueUnpaid"]


class Request(TypedDict):
    requestId: str
    method: Optional[str]
    path: Optional[str]
    """
    of the operation, with ids in place; what may be secret or personal stays a name in braces. null: there is no such
    path
    """
    op: Optional[str]
    """the name of the operation"""
    status: int
    """of the answer; 499: the client went away before it"""
    code: Optional[str]
    """of the refusal"""
    message: Optional[str]
    """of the refusal, without what names a person"""
    keyId: Optional[str]
    passId: Optional[str]
    """the pass that path or body name"""
    instanceId: Optional[str]
    """the card that path, body or answer name, if it is one"""
    createdAt: str
    """ISO 8601, UTC"""
    ms: float
    """from the request to the end of its answer"""


class ReversalPostingBody(TypedDict):
    entryId: str
    instanceId: str
    programId: str
    points: int
    """what was added to the balance; below zero: taken from it"""
    balance: int
    lifetimePoints: int
    threshold: Optional[int]
    cost: Optional[int]
    pendingRewards: int
    reversalOf: str


class ReversalPostingPushed(ReversalPostingBody, Pushed):
    pass


class ReversalPostingUnchanged(ReversalPostingBody, Unchanged):
    pass


class ReversalPostingNotInstalled(ReversalPostingBody, NotInstalled):
    pass


class ReversalPostingUnpaid(ReversalPostingBody, Unpaid):
    pass


ReversalPosting = Union["ReversalPostingPushed", "ReversalPostingUnchanged", "ReversalPostingNotInstalled", "ReversalPostingUnpaid"]


class SentCards(TypedDict):
    mailed: int
    """people whose mail is on its way, or would be"""
    noAddress: int
    """cards without an e-mail address that can be used"""
    suppressed: int
    """people who want no mail, or whose address is dead"""
    sentBefore: int
    """people who were mailed before, for this pass"""
    duplicate: int
    """cards whose address another card has"""
    nextCursor: Optional[str]
    """null: there are no more cards"""


class SentMessage(TypedDict):
    messageId: str
    recipients: int
    """cards that it goes to"""
    credits: int
    """credits reserved for them"""


class SentTest(TypedDict):
    eventId: str
    deliveryId: str
    """of the delivery that shows, in a moment, what was answered"""


class ShopifyCredentials(TypedDict):
    """kept encrypted, and never shown"""

    accessToken: str
    """the access token of an app that may read customers and orders, e.g. shpat_…"""


class SigningRequest(TypedDict):
    csr: str
    """a certificate signing request (PKCS#10) in PEM"""


StampIcon = Literal["check", "star", "heart", "gift", "cup", "sandwich", "burger", "pizza", "iceCream", "scissors", "flower", "paw", "dumbbell", "car"]
"""what a stamp shows; null: a check"""


StatisticsWords = TypedDict("StatisticsWords", {"from": "str"})


class Statistics(StatisticsWords):
    by: Literal["day", "week", "month", "partner"]
    passId: Optional[str]
    partnerId: Optional[str]
    timezone: str
    to: str
    """the last day; of weeks and months, the last of the last one"""
    isWhole: bool
    """false while something that has happened is yet to be counted: after an upgrade, or a great many changes"""
    data: List[StatisticsDataItem]
    """periods, the first one first; or a page of partners, the newest first"""
    nextCursor: Optional[str]
    totals: StatisticsTotals
    """from the first day to the last"""
    outstanding: Optional[StatisticsOutstanding]
    lists: Optional[Dict[str, List[str]]]
    """
    of a pass: the lists that show what each figure counts. Ask them with createdAfter and createdBefore, which are from
    and to of a period; events are kept for 30 days
    """


StatisticsDataItemWords = TypedDict("StatisticsDataItemWords", {"from": "str"})


class StatisticsDataItem(StatisticsDataItemWords):
    day: Optional[str]
    """the first day of the period; null for a partner"""
    partnerId: Optional[str]
    partner: Optional[str]
    """its name"""
    to: str
    """ISO 8601, UTC: the end of the period, which is not part of it"""
    activeHolders: Optional[int]
    """
    cards with an award or a redemption in the period, each once; null for partners: one card may be active at several
    """
    issued: int
    """cards"""
    installed: int
    """how often a wallet has taken a card"""
    removed: int
    """how often a wallet has given one up"""
    voided: int
    """cards; one that was voided twice counts twice"""
    reactivated: int
    """voided cards"""
    erased: int
    """cards whose person was erased; what is erased is void, and not counted there"""
    awards: int
    """those of nothing, by a limit, among them"""
    rewardsUnlocked: int
    """by stamps"""
    rewardsCancelled: int
    """unlocked, and turned back since their stamps were undone"""
    rewardsRedeemed: int
    """also those whose redemption was undone since"""
    reversals: int
    """awards and redemptions that were undone, in part or as a whole"""
    pointsIn: int
    """all that was added to balances"""
    pointsOut: int
    """all that was taken from balances"""
    pointsEarned: int
    """by awards"""
    pointsRedeemed: int
    """by redemptions"""
    pointsUnlocked: int
    """stamps that became a reward"""
    pointsCancelled: int
    """stamps of rewards that were turned back"""
    pointsExpired: int
    """less what was given back because its award was undone"""
    pointsAdjusted: int
    """by hand and by imports; below zero: more was taken than given"""
    pointsReversed: int
    """taken away again, of awards"""
    pointsReturned: int
    """given back, of redemptions"""


class StatisticsOutstanding(TypedDict):
    points: int
    """the sum of all balances, now"""
    ages: Optional[StatisticsOutstandingAges]
    """
    points by the days since they were credited, as of the last nightly audit: those that were credited last are taken
    for those that are left, and debts are left out; null before the first audit
    """


class StatisticsOutstandingAges(TypedDict):
    at: str
    """ISO 8601, UTC"""
    days: List[StatisticsOutstandingAgesDay]


StatisticsOutstandingAgesDayWords = TypedDict("StatisticsOutstandingAgesDayWords", {"from": "int"})


class StatisticsOutstandingAgesDay(StatisticsOutstandingAgesDayWords):
    below: Optional[int]
    """null: whatever is older"""
    points: int


class StatisticsTotals(TypedDict):
    issued: int
    """cards"""
    installed: int
    """how often a wallet has taken a card"""
    removed: int
    """how often a wallet has given one up"""
    voided: int
    """cards; one that was voided twice counts twice"""
    reactivated: int
    """voided cards"""
    erased: int
    """cards whose person was erased; what is erased is void, and not counted there"""
    awards: int
    """those of nothing, by a limit, among them"""
    rewardsUnlocked: int
    """by stamps"""
    rewardsCancelled: int
    """unlocked, and turned back since their stamps were undone"""
    rewardsRedeemed: int
    """also those whose redemption was undone since"""
    reversals: int
    """awards and redemptions that were undone, in part or as a whole"""
    pointsIn: int
    """all that was added to balances"""
    pointsOut: int
    """all that was taken from balances"""
    pointsEarned: int
    """by awards"""
    pointsRedeemed: int
    """by redemptions"""
    pointsUnlocked: int
    """stamps that became a reward"""
    pointsCancelled: int
    """stamps of rewards that were turned back"""
    pointsExpired: int
    """less what was given back because its award was undone"""
    pointsAdjusted: int
    """by hand and by imports; below zero: more was taken than given"""
    pointsReversed: int
    """taken away again, of awards"""
    pointsReturned: int
    """given back, of redemptions"""


class Store(TypedDict):
    storeId: str
    platform: Literal["shopify", "woocommerce", "custom"]
    domain: str
    passId: Optional[str]
    consent: Optional[Union[StoreConsent1, StoreConsent2]]
    followsEdits: bool
    """whether an order that is edited after it was paid earns by its newest total"""
    status: Literal["connected", "disconnected"]
    webhookUrl: str
    """where the platform sends its webhooks"""
    webhookTopics: List[str]
    """what it should send, by the platform's names"""
    customersReadable: bool
    """whether the customers can be swept"""
    reconciledAt: Optional[str]
    """when its orders were last read through"""
    problem: Optional[StoreProblem]
    """what a member has to look at"""
    waitingWebhooks: int
    """webhooks that are yet to be processed"""
    givenUpWebhooks: int
    """those of the last 30 days that could not be read, or were refused for as long"""
    connectedAt: str
    """ISO 8601, UTC"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """ISO 8601, UTC"""


class StoreChangesConsent2(TypedDict):
    attestedBy: str


class StoreConsent1(TypedDict):
    metaKey: str
    metaValue: str


class StoreConsent2(TypedDict):
    attestedBy: str
    recordedAt: str
    """ISO 8601, UTC"""
    recordedBy: str


class StoreProblem(TypedDict):
    code: str
    message: str


StoreTest = Union["StoreTestOk", "StoreTestNotOk"]


class StoreTestNotOk(TypedDict):
    ok: Literal[False]
    reason: str
    message: str


class StoreTestOk(TypedDict):
    ok: Literal[True]
    shop: Optional[StoreTestOkShop]
    message: str


class StoreTestOkShop(TypedDict):
    name: str


class Sweep(TypedDict):
    sweepId: str
    passId: str
    storeId: str
    dryRun: bool
    limit: Optional[int]
    startedAt: str
    """ISO 8601, UTC"""
    finishedAt: Optional[str]
    """ISO 8601, UTC"""
    state: SweepState


class SweepItem(TypedDict):
    customerId: str
    """the customer's number in the store"""
    outcome: Literal[
        "invited",
        "already_holder",
        "already_invited",
        "no_consent",
        "consent_unknown",
        "no_contact",
        "invalid_contact",
        "suppressed",
        "duplicate_contact",
    ]
    inviteId: Optional[str]
    inviteStatus: Optional[str]
    """the status of the invitation"""
    decidedAt: str
    """ISO 8601, UTC"""


class SweepRunningState(TypedDict):
    running: bool


class SweepState(TypedDict):
    running: bool
    """false as soon as it has ended, for whatever reason"""
    status: Literal["running", "completed", "failed", "cancelled"]
    found: int
    """customers that were looked at: the sum of the nine outcomes"""
    invited: int
    alreadyHolder: int
    """who have a card of the pass"""
    alreadyInvited: int
    """whose address was invited to the pass before"""
    noConsent: int
    """who have not agreed to be written to"""
    consentUnknown: int
    """customers whose consent is not known: they are not written to either"""
    noContact: int
    """without an e-mail address"""
    invalidContact: int
    """with an address that no mail reaches"""
    suppressed: int
    """who want no mail, or whose address is dead"""
    duplicateContact: int
    """whose address another customer of the sweep has"""
    sent: int
    """mails that were handed over"""
    sendFailed: int
    """mails that failed, or whose outcome is unknown"""
    waiting: int
    """mails that are still to be sent"""
    cursor: Optional[str]
    """where in the store's list of customers it goes on"""
    reason: Optional[str]
    """why it has failed, or what it is waiting for to pass"""


class Trace(TypedDict):
    requestId: str
    requests: List[Request]
    audit: List[AuditLine]
    entries: List[Entry]
    """of the points ledger"""
    events: List[Event]
    deliveries: List[Delivery]
    """of these events, to webhooks"""
    pushes: List[TracePushe]
    """of the cards that it has changed, to wallets: their outcomes, and what a card waits for now"""


class TracePushe(TypedDict):
    instanceId: str
    status: Literal["waiting", "skipped", "delivered", "failed"]
    at: str
    """ISO 8601, UTC"""


TransferredValueWords = TypedDict("TransferredValueWords", {"from": "TransferredValueTo"})


class TransferredValue(TransferredValueWords):
    """money that went from one card to another, and what both hold then"""

    programId: str
    transferred: Money
    to: TransferredValueTo


class TransferredValueToBody(TypedDict):
    entryId: str
    instanceId: str
    balance: Money


class TransferredValueToPushed(TransferredValueToBody, Pushed):
    pass


class TransferredValueToUnchanged(TransferredValueToBody, Unchanged):
    pass


class TransferredValueToNotInstalled(TransferredValueToBody, NotInstalled):
    pass


class TransferredValueToUnpaid(TransferredValueToBody, Unpaid):
    pass


TransferredValueTo = Union["TransferredValueToPushed", "TransferredValueToUnchanged", "TransferredValueToNotInstalled", "TransferredValueToUnpaid"]


class Translation(TypedDict, total=False):
    title: str
    details: str
    terms: str
    fields: Dict[str, TranslationFields]
    """by the key of the field"""
    locations: List[Optional[str]]
    """the relevantText of each location, in their order"""
    beacons: List[Optional[str]]
    """the same of each beacon"""
    actions: TranslationActions
    """titles by the kind of the action"""
    images: TranslationImages
    """in the place of the images that the pass has in these slots, on cards of holders who read the language"""
    modules: List[Optional[TranslationModule]]
    """header and body of each module, in their order"""
    program: TranslationProgram
    """what the cards say of its program"""


class TranslationActions(TypedDict, total=False):
    shop: str
    order: str
    offers: str
    benefits: str
    topUp: str
    call: str
    appointment: str
    schedule: str
    stay: str
    car: str
    flight: str
    music: str
    trailer: str


class TranslationFields(TypedDict, total=False):
    label: str
    value: str
    changeMessage: str


class TranslationImages(TypedDict, total=False):
    iconUrl: str
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    logoUrl: str
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    stripUrl: str
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    thumbnailUrl: str
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    backgroundUrl: str
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    heroUrl: str
    """
    https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url`
    that `POST /images` has answered in the same workspace
    """
    posterUrl: str
    """
    of the type `generic` alone: the whole card from iOS 27 on. https, 2,048 characters at most; a PNG, JPEG or WebP of
    20 MB at most. It is fetched once and stored. Or the `url` that `POST /images` has answered in the same workspace
    """


class TranslationModule(TypedDict, total=False):
    header: str
    body: str


class TranslationProgram(TypedDict, total=False):
    rewardTitle: str
    pointName: ProgramPointName
    tiers: Dict[str, str]
    """titles by the key of the tier"""


class UpdateResults(TypedDict):
    results: List[UpdateResultsResult]


class UpdateResultsResultRequired(TypedDict):
    """What is always there of UpdateResultsResult."""

    status: int


class UpdateResultsResult(UpdateResultsResultRequired, total=False):
    """One of `instance`, `error` is there."""

    instance: UpdatedInstance
    error: ItemError


class UpdatedInstanceBodyRequired(TypedDict):
    """What is always there of UpdatedInstanceBody."""

    instanceId: str
    passId: str
    status: Literal["active", "voided"]
    barcode: Optional[str]
    addressable: bool
    """whether the holder may have values of their own"""
    holder: Optional[InstanceHolder]
    fields: Dict[str, Optional[str]]
    expiresAt: Optional[str]
    """ISO 8601, UTC"""
    partnerId: Optional[str]
    metadata: Dict[str, Optional[Union[str, float, bool]]]
    wallets: InstanceWallets
    loyalty: Optional[InstanceLoyalty]
    links: InstanceLinks
    externalRef: Optional[str]
    """yours, of its issue"""
    installedAt: Optional[str]
    """when a wallet took it first"""
    lastPush: Optional[InstanceLastPush]
    """the outcome of the last push of the card; a design that goes to all cards is not counted"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """
    when its holder, fields, expiry, metadata, status or points last changed; wallets that take it, and pushes, leave it
    """
    voidedAt: Optional[str]
    """ISO 8601, UTC"""
    voidReason: Optional[str]


class UpdatedInstanceBody(UpdatedInstanceBodyRequired, total=False):
    phoneGiven: str
    """what a store or a former version has given as telephone number of the holder and is none; absent: nothing"""
    details: InstanceDetails
    """in lists that were asked for with `include=details`; else absent"""
    expired: Literal[True]
    """where a card is read whose `expiresAt` has come; else absent"""


class UpdatedInstancePushed(UpdatedInstanceBody, Pushed):
    pass


class UpdatedInstanceUnchanged(UpdatedInstanceBody, Unchanged):
    pass


class UpdatedInstanceNotInstalled(UpdatedInstanceBody, NotInstalled):
    pass


class UpdatedInstanceUnpaid(UpdatedInstanceBody, Unpaid):
    pass


UpdatedInstance = Union["UpdatedInstancePushed", "UpdatedInstanceUnchanged", "UpdatedInstanceNotInstalled", "UpdatedInstanceUnpaid"]


class UploadReport(TypedDict):
    received: int
    added: int
    duplicates: int
    """rejected as duplicate_in_upload, already_in_pool, already_issued"""
    rejected: List[UploadReportRejectedItem]
    pool: PassPool


class UploadReportRejectedItem(TypedDict):
    line: int
    """of the file, or the place in `barcodes`; counted from 1"""
    value: str
    """as it was sent, at most 255 characters of it"""
    reason: Literal[
        "empty",
        "too_long",
        "unprintable",
        "too_many_cells",
        "damaged",
        "duplicate_in_upload",
        "already_in_pool",
        "already_issued",
    ]


class UploadedImage(TypedDict):
    url: str
    """for the image parameters of passes in this workspace; browsers cannot open it"""
    width: int
    """in pixels, as it is to be shown"""
    height: int
    """in pixels, as it is to be shown"""
    expiresAt: str
    """ISO 8601, UTC"""


class ValueTransferTo(TypedDict, total=False):
    """One of `identifier`, `instanceId`, `barcode`, `email`, `phone` is there."""

    identifier: str
    """
    the holder's number in your own system; one active card per pass and identifier; kept and compared in Unicode's NFC
    form
    """
    instanceId: str
    barcode: str
    """kept and compared in Unicode's NFC form"""
    email: str
    """an e-mail address"""
    phone: str
    """
    a telephone number, however it is written; one without its country is of the country of the workspace. It is kept
    and answered in the form of E.164
    """


VisitorsWords = TypedDict("VisitorsWords", {"from": "str"})


class Visitors(VisitorsWords):
    passId: Optional[str]
    timezone: str
    to: str
    """the last day, which is not over"""
    isWhole: bool
    """as of statistics"""
    came: int
    """cards that were awarded or redeemed in these days, each once"""
    new: int
    """those of them that never were before"""
    returning: int
    """the others"""
    away: VisitorsAway
    rewarded: int
    """cards on which a reward waits; 10000: that many or more"""


class VisitorsAway(TypedDict):
    since: str
    """the day"""
    cards: int
    """that were awarded or redeemed before that day, and on no day since; voided and erased ones among them"""


class WalletOptionChanges(TypedDict, total=False):
    """one that is absent stays, null leaves it to the wallets again"""

    sharing: Optional[bool]
    """whether holders may hand the card on"""
    screenshots: Optional[bool]
    """whether Android allows pictures of the screen"""
    unlock: Optional[bool]
    """
    whether Android asks to unlock the phone before it shows the card, and an iPhone before it hands it to a reader
    """
    shimmer: Optional[bool]
    """whether a sheen moves over the card on Android, which a picture of it has not"""
    expiryNotice: Optional[bool]
    """whether Google reminds holders before the card expires. It does by itself but for `generic`"""
    group: Optional[str]
    """cards of one holder with the same name are shown together"""
    purpose: Optional[CardPurpose]
    appStoreIds: Optional[List[int]]
    """the shop's apps in the App Store, by their numbers there: iPhones offer the first one"""
    appUrl: Optional[str]
    """what that app is opened with; needs `appStoreIds`"""
    androidApp: Optional[str]
    """the shop's app at Google Play, such as com.example.shop"""
    logoSymbol: Optional[str]
    """an SF Symbol in the place of the logo from iOS 27 on, such as cup.and.saucer.fill"""
    nfc: Optional[Literal["code", "identifier"]]
    """
    what readers get when the phone is held to them: the code of the card, or the identifier of its holder; needs `PUT
    /workspace/wallets/nfc`
    """


class WalletOptions(TypedDict, total=False):
    """what wallets are to do differently from what they do by themselves"""

    sharing: bool
    """whether holders may hand the card on"""
    screenshots: bool
    """whether Android allows pictures of the screen"""
    unlock: bool
    """
    whether Android asks to unlock the phone before it shows the card, and an iPhone before it hands it to a reader
    """
    shimmer: bool
    """whether a sheen moves over the card on Android, which a picture of it has not"""
    expiryNotice: bool
    """whether Google reminds holders before the card expires. It does by itself but for `generic`"""
    group: str
    """cards of one holder with the same name are shown together"""
    purpose: CardPurpose
    appStoreIds: List[int]
    """the shop's apps in the App Store, by their numbers there: iPhones offer the first one"""
    appUrl: str
    """what that app is opened with; needs `appStoreIds`"""
    androidApp: str
    """the shop's app at Google Play, such as com.example.shop"""
    logoSymbol: str
    """an SF Symbol in the place of the logo from iOS 27 on, such as cup.and.saucer.fill"""
    nfc: Literal["code", "identifier"]
    """
    what readers get when the phone is held to them: the code of the card, or the identifier of its holder; needs `PUT
    /workspace/wallets/nfc`
    """


class Wallets(TypedDict):
    apple: WalletsApple
    """the certificate that signs new passes, and pushes their changes"""
    google: Optional[WalletsGoogle]
    """whose new cards at Google Wallet are; null: neither the workspace nor the operator has an account there"""
    nfc: Optional[WalletsNfc]
    """the readers that take cards by NFC; null: none does"""


class WalletsApple(TypedDict):
    own: bool
    """whether it is the workspace's own, and not that of the installation"""
    passTypeIdentifier: str
    teamIdentifier: str
    expiresAt: str
    """ISO 8601, UTC"""
    nfc: bool
    """whether readers may take the passes that it signs by NFC"""
    earlier: List[WalletsAppleEarlierItem]
    """certificates that the workspace had, and that cards in wallets are still signed with"""


class WalletsAppleEarlierItem(TypedDict):
    passTypeIdentifier: str
    expiresAt: str
    """ISO 8601, UTC"""


class WalletsGoogle(TypedDict):
    own: bool
    """whether it is the workspace's own, and not that of the installation"""
    issuerId: str
    serviceAccount: Optional[str]
    """the address of the workspace's own"""
    earlier: List[WalletsGoogleEarlierItem]
    """issuers that the workspace had, and that cards of it are still of"""


class WalletsGoogleEarlierItem(TypedDict):
    issuerId: str


class WalletsNfc(TypedDict):
    publicKey: str
    """P-256, as SubjectPublicKeyInfo in base64"""
    keptHere: bool
    """whether `POST /workspace/wallets/nfc/key` shows its private key, or the maker of the readers has that"""
    redemptionIssuers: List[str]


class Webhook(TypedDict):
    webhookId: str
    url: str
    types: List[str]
    passIds: Optional[List[str]]
    description: Optional[str]
    payload: Literal["full", "thin"]
    status: Literal["active", "paused", "disabled"]
    problem: Optional[WebhookProblem]
    """what a member has to look at"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """ISO 8601, UTC"""
    lastDay: WebhookLastDay
    """the outcomes of the deliveries of the last 24 hours, of 10,000 at most"""


class WebhookEventRequired(TypedDict):
    """What is always there of WebhookEvent."""

    eventId: str
    seq: int
    """without a gap in the workspace"""
    type: EventType
    createdAt: str
    """ISO 8601, UTC"""
    requestId: str
    """of the request that did it, or the name of the background work"""
    actor: str
    """who did it: the id of a key, a person or a store, or `operator`, `holder`, `system`"""
    passId: Optional[str]
    instanceId: Optional[str]


class WebhookEvent(WebhookEventRequired, total=False):
    """An event as a webhook brings it; a thin one has no `data` and no `previous`."""

    data: Dict[str, Any]
    """what it concerns, as the API showed it then; empty once the card was erased"""
    previous: Dict[str, Any]
    """the changed properties, as they were before"""


class WebhookLastDay(TypedDict):
    delivered: int
    failed: int
    waiting: int


class WebhookProblem(TypedDict):
    code: Literal["failing", "gone", "no_success"]
    message: str


class WebhookWithSecret(TypedDict):
    webhookId: str
    url: str
    types: List[str]
    passIds: Optional[List[str]]
    description: Optional[str]
    payload: Literal["full", "thin"]
    status: Literal["active", "paused", "disabled"]
    problem: Optional[WebhookProblem]
    """what a member has to look at"""
    createdAt: str
    """ISO 8601, UTC"""
    updatedAt: str
    """ISO 8601, UTC"""
    secret: str
    """verifies what is posted: shown once, and kept encrypted"""


class WooCommerceCredentials(TypedDict):
    """of a key that may read; kept encrypted, and never shown"""

    consumerKey: str
    consumerSecret: str


class Workspace(TypedDict):
    workspaceId: str
    name: str
    timezone: str
    """IANA name, e.g. Europe/Berlin"""
    locale: str
    currency: Currency
    country: Optional[str]
    """
    ISO 3166-1, e.g. DE: how telephone numbers without a country are read; null: by the time zone or the locale, where
    these name a country
    """
    defaults: WorkspaceDefaults
    plan: Literal["entry", "pro"]
    credits: int
    drafts: int
    suspended: bool
    createdAt: str
    """ISO 8601, UTC"""


class WorkspaceDefaults(TypedDict, total=False):
    colors: NewPassColors
    terms: Optional[str]
