// Printed from the migrated database by scripts/dump-schema.ts; compared with it in the tests.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** A column of JSON: parsed when read, JSON text when written. */
type Json = ColumnType<unknown, string, string>;
/** A list of them. */
type Jsons = ColumnType<unknown[], string[] | undefined, string[]>;

export interface Schema {
  apiKeySecrets: ApiKeySecretsTable;
  apiKeys: ApiKeysTable;
  appleDeviceWorkspaces: AppleDeviceWorkspacesTable;
  appleDevices: AppleDevicesTable;
  appleIdentities: AppleIdentitiesTable;
  appleLogs: AppleLogsTable;
  appleRegistrations: AppleRegistrationsTable;
  appleSigningKeys: AppleSigningKeysTable;
  auditLog: AuditLogTable;
  consents: ConsentsTable;
  creditAccounts: CreditAccountsTable;
  creditEntries: CreditEntriesTable;
  creditFlushes: CreditFlushesTable;
  devices: DevicesTable;
  dueWorkspaces: DueWorkspacesTable;
  erasureWalks: ErasureWalksTable;
  eventCounters: EventCountersTable;
  eventLog: EventLogTable;
  eventOutbox: EventOutboxTable;
  googleClasses: GoogleClassesTable;
  googleIdentities: GoogleIdentitiesTable;
  googleNonces: GoogleNoncesTable;
  googleObjects: GoogleObjectsTable;
  googleOwnClasses: GoogleOwnClassesTable;
  googlePace: GooglePaceTable;
  holders: HoldersTable;
  imageFiles: ImageFilesTable;
  imageUploads: ImageUploadsTable;
  instanceEvents: InstanceEventsTable;
  instances: InstancesTable;
  invites: InvitesTable;
  joinDays: JoinDaysTable;
  joinProofs: JoinProofsTable;
  ledgerAudits: LedgerAuditsTable;
  ledgerRecounts: LedgerRecountsTable;
  loyaltyAccounts: LoyaltyAccountsTable;
  loyaltyEntries: LoyaltyEntriesTable;
  loyaltyLotUses: LoyaltyLotUsesTable;
  loyaltyLots: LoyaltyLotsTable;
  memberships: MembershipsTable;
  messageDeliveries: MessageDeliveriesTable;
  oidcIdentities: OidcIdentitiesTable;
  operationClaims: OperationClaimsTable;
  orderRefunds: OrderRefundsTable;
  orders: OrdersTable;
  partners: PartnersTable;
  passCounters: PassCountersTable;
  passPlaces: PassPlacesTable;
  passes: PassesTable;
  passkeys: PasskeysTable;
  people: PeopleTable;
  plannedMessages: PlannedMessagesTable;
  poolBarcodes: PoolBarcodesTable;
  privacyRequests: PrivacyRequestsTable;
  programStates: ProgramStatesTable;
  programTotals: ProgramTotalsTable;
  programs: ProgramsTable;
  pushes: PushesTable;
  requestLog: RequestLogTable;
  rewards: RewardsTable;
  rollouts: RolloutsTable;
  sessions: SessionsTable;
  signInLinks: SignInLinksTable;
  statisticsActive: StatisticsActiveTable;
  statisticsCards: StatisticsCardsTable;
  statisticsCursors: StatisticsCursorsTable;
  statisticsDays: StatisticsDaysTable;
  statisticsVisitors: StatisticsVisitorsTable;
  statisticsWalks: StatisticsWalksTable;
  storeWebhooks: StoreWebhooksTable;
  stores: StoresTable;
  suppressions: SuppressionsTable;
  sweepContacts: SweepContactsTable;
  sweepItems: SweepItemsTable;
  sweeps: SweepsTable;
  unlockWalks: UnlockWalksTable;
  usedChallenges: UsedChallengesTable;
  walletStops: WalletStopsTable;
  webCards: WebCardsTable;
  webhookClaims: WebhookClaimsTable;
  webhookDeliveries: WebhookDeliveriesTable;
  webhooks: WebhooksTable;
  workspaces: WorkspacesTable;
}

interface ApiKeySecretsTable {
  secretHash: Buffer;
  workspaceId: string;
  keyId: string;
  expiresAt: Date | null;
  createdAt: Generated<Date>;
}

interface ApiKeysTable {
  workspaceId: string;
  keyId: string;
  name: string;
  access: string;
  passIds: string[] | null;
  rateLimit: number | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Generated<Date>;
}

interface AppleDeviceWorkspacesTable {
  deviceLibraryIdentifier: string;
  passTypeIdentifier: string;
  workspaceIds: string[];
}

interface AppleDevicesTable {
  workspaceId: string;
  deviceId: string;
  deviceLibraryIdentifier: string;
  passTypeIdentifier: string;
  pushToken: string;
  registeredAt: Date;
  tag: number;
  dueAt: Date | null;
  rolloutId: string | null;
  attempts: Generated<number>;
  pushFrom: Date;
  pushedAt: Date | null;
  isOwn: Generated<boolean>;
}

interface AppleIdentitiesTable {
  workspaceId: string;
  passTypeIdentifier: string;
  teamIdentifier: string;
  certificate: string;
  intermediate: string;
  privateKey: string;
  expiresAt: Date;
  toldDays: number | null;
  retiredAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

interface AppleLogsTable {
  logId: string;
  message: string;
  createdAt: Date;
}

interface AppleRegistrationsTable {
  workspaceId: string;
  instanceId: string;
  deviceId: string;
  tag: Generated<number>;
  createdAt: Date;
}

interface AppleSigningKeysTable {
  workspaceId: string;
  keyHash: Buffer;
  privateKey: string;
  createdAt: Date;
}

interface AuditLogTable {
  workspaceId: string;
  auditId: string;
  action: string;
  actor: string;
  target: string;
  detail: Json;
  requestId: string;
  createdAt: Generated<Date>;
}

interface ConsentsTable {
  workspaceId: string;
  consentId: string;
  instanceId: string;
  key: string;
  text: string;
  agreed: boolean;
  createdAt: Date;
}

interface CreditAccountsTable {
  workspaceId: string;
  balance: Generated<number>;
  reserved: Generated<number>;
  spent: Generated<number>;
  seq: Generated<number>;
  lowAt: Generated<number>;
  lowSeq: number | null;
}

interface CreditEntriesTable {
  workspaceId: string;
  seq: number;
  kind: string;
  amount: number;
  balance: number;
  externalRef: string | null;
  note: string | null;
  createdAt: Generated<Date>;
  reserved: Generated<number>;
  instanceId: string | null;
  messageId: string | null;
  rolloutId: string | null;
  requestId: string | null;
}

interface CreditFlushesTable {
  workspaceId: string;
  requestedAt: Date;
  walkedAt: Date;
}

interface DevicesTable {
  deviceId: string;
  workspaceId: string;
  name: string;
  partnerId: string | null;
  pairingHash: Buffer | null;
  pairingUntil: Date | null;
  secretHash: Buffer | null;
  createdAt: Date;
}

interface DueWorkspacesTable {
  job: string;
  workspaceId: string;
  lookAt: Date;
  noteId: string;
}

interface ErasureWalksTable {
  workspaceId: string;
  passId: string;
  erasedBefore: Date;
  cursor: string | null;
  dueAt: Date;
}

interface EventCountersTable {
  workspaceId: string;
  firstSeq: Generated<number>;
  lastSeq: Generated<number>;
  trimAt: Date | null;
  uncountedSince: Date | null;
  followAt: Date | null;
  hasWebhooks: Generated<boolean>;
}

interface EventLogTable {
  workspaceId: string;
  seq: number;
  eventId: string;
  type: string;
  passId: string | null;
  instanceId: string | null;
  actor: string;
  requestId: string;
  data: Json;
  previous: Json;
  createdAt: Date;
  counts: string | null;
}

interface EventOutboxTable {
  workspaceId: string;
  outboxId: string;
  writtenAt: Generated<Date>;
  dueAt: Date;
  events: Json | null;
  eventIds: string[] | null;
  types: string[] | null;
  passIds: string[] | null;
  instanceIds: string[] | null;
  actors: string[] | null;
  requestIds: string[] | null;
  createdAts: Date[] | null;
  data: string | null;
  previous: string | null;
  counts: string | null;
}

interface GoogleClassesTable {
  workspaceId: string;
  passId: string;
  content: Buffer | null;
  messageRolloutId: string | null;
  notifiedAt: Generated<Date[]>;
}

interface GoogleIdentitiesTable {
  workspaceId: string;
  issuerId: string;
  clientEmail: string;
  serviceAccount: string;
  retiredAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

interface GoogleNoncesTable {
  nonce: string;
  expiresAt: Date;
}

interface GoogleObjectsTable {
  workspaceId: string;
  instanceId: string;
  content: Buffer | null;
  saved: Generated<boolean>;
  eventAt: Date | null;
  notifiedAt: Generated<Date[]>;
  tag: Generated<number>;
  dueAt: Date | null;
  attempts: Generated<number>;
  messageId: string | null;
  issuerId: string | null;
  isOwn: Generated<boolean>;
}

interface GoogleOwnClassesTable {
  workspaceId: string;
  passId: string;
  issuerId: string;
  content: Buffer | null;
  messageRolloutId: string | null;
  notifiedAt: Generated<Date[]>;
}

interface GooglePaceTable {
  issuerId: string;
  nextAt: Date;
}

interface HoldersTable {
  workspaceId: string;
  instanceId: string;
  passId: string;
  identifier: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  locale: string | null;
  current: Generated<boolean | null>;
  phoneGiven: string | null;
  foldedIdentifier: string | null;
  foldedName: string | null;
  foldedEmail: string | null;
  foldedPhone: string | null;
  folding: number | null;
}

interface ImageFilesTable {
  workspaceId: string;
  hash: string;
  bytes: Buffer;
  width: number;
  height: number;
  keptAt: Date;
}

interface ImageUploadsTable {
  workspaceId: string;
  hash: string;
  bytes: Buffer;
  size: number;
  width: number;
  height: number;
  keptUntil: Date;
}

interface InstanceEventsTable {
  workspaceId: string;
  instanceId: string;
  eventId: string;
  kind: string;
  detail: Json;
  createdAt: Date;
}

interface InstancesTable {
  workspaceId: string;
  instanceId: string;
  passId: string;
  status: string;
  barcode: string | null;
  addressable: boolean;
  installed: Generated<boolean>;
  fields: Json;
  expiresAt: Date | null;
  partnerId: string | null;
  metadata: Json;
  linkSecret: Buffer;
  authenticationToken: string;
  revision: Generated<number>;
  passRevision: number;
  modifiedAt: Date;
  createdAt: Date;
  erasedAt: Date | null;
  appleWallets: Generated<number>;
  googleWallets: Generated<number>;
  webWallets: Generated<number>;
  servedModifiedAt: Date | null;
  servedChangeAt: Date | null;
  externalRef: string | null;
  installedAt: Date | null;
  voidedAt: Date | null;
  voidReason: string | null;
  message: string | null;
  messageId: string | null;
  updatedAt: Date | null;
  foldedBarcode: string | null;
}

interface InvitesTable {
  workspaceId: string;
  inviteId: string;
  passId: string;
  sweepId: string | null;
  storeId: string | null;
  email: string | null;
  name: string | null;
  locale: string | null;
  identifier: string | null;
  emailHash: Buffer;
  linkSecret: Buffer;
  status: string;
  dueAt: Date | null;
  attempts: Generated<number>;
  problem: string | null;
  claims: Json;
  instanceId: string | null;
  createdAt: Date;
  sentAt: Date | null;
  acceptedAt: Date | null;
}

interface JoinDaysTable {
  workspaceId: string;
  passId: string;
  day: Date;
  joined: number;
}

interface JoinProofsTable {
  workspaceId: string;
  proofId: string;
  passId: string;
  linkSecret: Buffer;
  emailHash: Buffer;
  person: Json;
  createdAt: Date;
  expiresAt: Date;
}

interface LedgerAuditsTable {
  workspaceId: string;
  auditId: string;
  accounts: number;
  entries: number;
  findings: Json;
  startedAt: Date;
  finishedAt: Date;
  ages: Json | null;
}

interface LedgerRecountsTable {
  workspaceId: string;
  stage: string;
  cursor: string | null;
  accounts: Generated<number>;
  entries: Generated<number>;
  findings: Json;
  startedAt: Date;
  turnAt: Date;
  ages: Json;
}

interface LoyaltyAccountsTable {
  workspaceId: string;
  accountId: string;
  programId: string;
  instanceId: string;
  seq: Generated<number>;
  balance: Generated<number>;
  lifetimePoints: Generated<number>;
  pendingRewards: Generated<number>;
  nextExpiryAt: Date | null;
  lastEarnedAt: Date | null;
  dayEndsAt: Date | null;
  earnedThatDay: Generated<number>;
  createdAt: Date;
  shownAt: Date | null;
  shownPassRevision: Generated<number>;
}

interface LoyaltyEntriesTable {
  workspaceId: string;
  accountId: string;
  seq: number;
  entryId: string;
  programId: string;
  instanceId: string;
  kind: string;
  points: number;
  balance: number;
  expiresAt: Date | null;
  externalRef: string | null;
  reason: string | null;
  limitedBy: string | null;
  partnerId: string | null;
  orderId: string | null;
  reversalOf: number | null;
  actor: string;
  occurredAt: Date;
  createdAt: Date;
  reasonSeal: Buffer | null;
  refSeal: Buffer | null;
  deviceId: string | null;
}

interface LoyaltyLotUsesTable {
  workspaceId: string;
  accountId: string;
  seq: number;
  expiresAt: Date;
  amount: number;
}

interface LoyaltyLotsTable {
  workspaceId: string;
  accountId: string;
  expiresAt: Date;
  original: number;
  remaining: number;
  expired: Generated<number>;
}

interface MembershipsTable {
  personId: string;
  workspaceId: string;
  email: string | null;
  name: string;
  role: string;
  partnerId: string | null;
  createdAt: Date;
  pin: string | null;
  accountId: string | null;
  pending: Generated<boolean>;
}

interface MessageDeliveriesTable {
  workspaceId: string;
  rolloutId: string;
  delivered: number;
  failed: number;
}

interface OidcIdentitiesTable {
  issuer: string;
  subject: string;
  personId: string;
  createdAt: Date;
}

interface OperationClaimsTable {
  workspaceId: string;
  operation: string;
  key: string;
  fingerprint: Buffer;
  status: number | null;
  body: string | null;
  requestId: string;
  createdAt: Generated<Date>;
}

interface OrderRefundsTable {
  workspaceId: string;
  source: string;
  orderId: string;
  refundId: string;
  amount: number;
  currency: string;
  createdAt: Date;
}

interface OrdersTable {
  workspaceId: string;
  source: string;
  orderId: string;
  passId: string | null;
  currency: string | null;
  paidVersion: number | null;
  paidTotal: number | null;
  latestVersion: number | null;
  latestTotal: number | null;
  cancelled: Generated<boolean>;
  placedAt: Date | null;
  partnerId: string | null;
  items: Json | null;
  instanceId: string | null;
  issued: Generated<boolean>;
  accountId: string | null;
  rule: Json | null;
  pointsExpireAt: Date | null;
  limitedBy: string | null;
  points: Generated<number>;
  credited: Generated<number>;
  createdAt: Date;
  updatedAt: Date;
  number: string | null;
  foldedNumber: string | null;
}

interface PartnersTable {
  workspaceId: string;
  partnerId: string;
  name: string;
  externalId: string | null;
  metadata: Json;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  location: Json | null;
}

interface PassCountersTable {
  workspaceId: string;
  passId: string;
  shard: number;
  issued: Generated<number>;
  installed: Generated<number>;
  voided: Generated<number>;
  pooled: Generated<number>;
  assigned: Generated<number>;
}

interface PassPlacesTable {
  workspaceId: string;
  passId: string;
  locations: Json;
  texts: Json;
}

interface PassesTable {
  workspaceId: string;
  passId: string;
  title: string;
  type: string;
  status: string;
  details: string | null;
  terms: string | null;
  expiry: Json;
  fields: Json;
  colors: Json;
  barcodeMode: string;
  barcodeFormat: string;
  barcodeValue: string | null;
  locations: Json;
  metadata: Json;
  revision: Generated<number>;
  modifiedAt: Date;
  createdAt: Date;
  updatedAt: Date;
  message: string | null;
  programId: string | null;
  images: Json;
  poolLowAt: Generated<number>;
  poolLowSeq: number | null;
  poolLowSince: Date | null;
  poolFromSeq: Generated<number>;
  messageId: string | null;
  joinForm: Json | null;
  language: string | null;
  translations: Json;
  dates: Json;
  beacons: Json;
  actions: Json;
  walletOptions: Json;
  moreLocations: Generated<number>;
  stampLook: Json;
  modules: Json;
}

interface PasskeysTable {
  passkeyId: string;
  personId: string;
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

interface PeopleTable {
  personId: string;
  homeId: string | null;
  email: string | null;
  createdAt: Date;
  password: string | null;
}

interface PlannedMessagesTable {
  workspaceId: string;
  messageId: string;
  passId: string;
  message: string;
  audience: Json | null;
  sendAt: Date;
  endsAt: Date | null;
  dueAt: Date | null;
  state: string;
  reason: string | null;
  requestId: string;
  actor: string;
  createdAt: Date;
}

interface PoolBarcodesTable {
  workspaceId: string;
  passId: string;
  barcode: string;
  seq: GeneratedAlways<number>;
  instanceId: string | null;
  assignedAt: Date | null;
}

interface PrivacyRequestsTable {
  workspaceId: string;
  requestId: string;
  storeId: string;
  topic: string;
  subject: Json;
  cursor: string | null;
  instanceIds: Generated<string[]>;
  receivedAt: Date;
  dueAt: Date | null;
  doneAt: Date | null;
}

interface ProgramStatesTable {
  workspaceId: string;
  programId: string;
  stateId: string;
  status: string;
  actor: string;
  changedAt: Date;
}

interface ProgramTotalsTable {
  workspaceId: string;
  programId: string;
  shard: number;
  issued: Generated<number>;
  redeemed: Generated<number>;
  expired: Generated<number>;
  reversed: Generated<number>;
  adjusted: Generated<number>;
  outstanding: Generated<number>;
}

interface ProgramsTable {
  workspaceId: string;
  programId: string;
  passId: string;
  mode: string;
  status: string;
  rewardTitle: string;
  rewardCost: number | null;
  threshold: number | null;
  earn: Json;
  expiryMonths: number | null;
  perDay: number | null;
  minSecondsBetween: number | null;
  refundPolicy: string;
  pointName: Json;
  drawsStamps: boolean;
  launchedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  rewards: Jsons;
  tiers: Jsons;
  perAward: number | null;
  perAwardByRole: Json;
  currency: string | null;
  maxBalance: number | null;
}

interface PushesTable {
  workspaceId: string;
  instanceId: string;
  credits: number;
  skippedAt: Date | null;
  repaid: Generated<boolean>;
  rolledOut: boolean;
  apple: boolean;
  google: boolean;
  web: boolean;
  delivered: Generated<boolean>;
  createdAt: Date;
  passId: string | null;
  requestId: string | null;
  messageIds: Generated<string[]>;
}

interface RequestLogTable {
  workspaceId: string;
  logId: string;
  requestId: string;
  method: string | null;
  path: string | null;
  op: string | null;
  status: number;
  code: string | null;
  message: string | null;
  actor: string | null;
  passId: string | null;
  instanceId: string | null;
  ms: number;
  createdAt: Date;
}

interface RewardsTable {
  workspaceId: string;
  accountId: string;
  seq: number;
  title: string;
  threshold: number;
  status: string;
  closedSeq: number | null;
}

interface RolloutsTable {
  workspaceId: string;
  rolloutId: string;
  passId: string;
  kind: string;
  cards: number;
  done: Generated<number>;
  skipped: Generated<number>;
  credits: Generated<number>;
  stage: string;
  cursor: string | null;
  releaseAt: Date;
  walkedAt: Date;
  createdAt: Date;
  finishedAt: Date | null;
  message: string | null;
  audience: Json | null;
  requestId: string | null;
  actor: string | null;
  newsId: string | null;
  sendAt: Date | null;
  endsAt: Date | null;
  endingAt: Date | null;
  endingCursor: string | null;
  endedAt: Date | null;
}

interface SessionsTable {
  sessionId: string;
  secretHash: Buffer;
  personId: string;
  userAgent: string | null;
  signedInAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  deviceId: string | null;
}

interface SignInLinksTable {
  secretHash: Buffer;
  personId: string;
  proves: string | null;
  expiresAt: Date;
  asked: Generated<boolean>;
}

interface StatisticsActiveTable {
  workspaceId: string;
  passId: string;
  unit: string;
  begins: Date;
  cards: number;
}

interface StatisticsCardsTable {
  workspaceId: string;
  instanceId: string;
  firstDay: Date;
  lastDay: Date;
}

interface StatisticsCursorsTable {
  workspaceId: string;
  countedSeq: Generated<number>;
  countsFrom: Date | null;
  sentSeq: Generated<number>;
  countedAt: Generated<Date>;
}

interface StatisticsDaysTable {
  workspaceId: string;
  passId: string;
  partnerId: string;
  day: Date;
  kind: string;
  happened: number;
  pointsIn: string;
  pointsOut: string;
}

interface StatisticsVisitorsTable {
  workspaceId: string;
  passId: string;
  visit: string;
  day: Date;
  cards: number;
}

interface StatisticsWalksTable {
  workspaceId: string;
  passId: string;
  stage: string;
  cursor: string | null;
  dueAt: Date;
}

interface StoreWebhooksTable {
  workspaceId: string;
  storeId: string;
  webhookId: string;
  deliveryId: string;
  topic: string;
  body: Buffer | null;
  receivedAt: Date;
  dueAt: Date | null;
  attempts: Generated<number>;
  refused: string | null;
  orderId: string | null;
  reason: string | null;
}

interface StoresTable {
  workspaceId: string;
  storeId: string;
  platform: string;
  domain: string;
  passId: string | null;
  credentials: string | null;
  webhookSecrets: string | null;
  consent: Json | null;
  followsEdits: boolean;
  connectedAt: Date;
  disconnectedAt: Date | null;
  watermark: Date;
  reconcileAt: Date | null;
  reconciledAt: Date | null;
  failures: Generated<number>;
  problem: string | null;
  createdAt: Date;
  updatedAt: Date;
}

interface SuppressionsTable {
  workspaceId: string;
  emailHash: Buffer;
  reason: string;
  createdAt: Date;
}

interface SweepContactsTable {
  workspaceId: string;
  sweepId: string;
  emailHash: Buffer;
}

interface SweepItemsTable {
  workspaceId: string;
  sweepId: string;
  customerId: string;
  outcome: string;
  inviteId: string | null;
  decidedAt: Date;
}

interface SweepsTable {
  workspaceId: string;
  sweepId: string;
  passId: string;
  storeId: string;
  status: string;
  dryRun: boolean;
  most: number | null;
  cursor: string | null;
  dueAt: Date | null;
  counts: Json;
  failures: Generated<number>;
  unreadable: Generated<number>;
  problem: string | null;
  actor: string;
  startedAt: Date;
  finishedAt: Date | null;
  trimmedAt: Date | null;
}

interface UnlockWalksTable {
  workspaceId: string;
  programId: string;
  passId: string;
  cursor: string | null;
  actor: string | null;
  requestId: string | null;
  againAt: Date | null;
  dueAt: Date;
}

interface UsedChallengesTable {
  challengeHash: Buffer;
  expiresAt: Date;
}

interface WalletStopsTable {
  wallet: string;
  scope: string;
  reason: string;
  since: Date;
  retryAt: Date;
}

interface WebCardsTable {
  workspaceId: string;
  instanceId: string;
  viewerId: string;
  pushEndpoint: string | null;
  expiresAt: Date;
  tag: Generated<number>;
  dueAt: Date | null;
  attempts: Generated<number>;
  added: Generated<boolean>;
  pushKeys: Json | null;
  said: Json | null;
}

interface WebhookClaimsTable {
  workspaceId: string;
  fromSeq: number;
  webhookIds: string[];
  toSeqs: number[];
  dueAt: Date;
}

interface WebhookDeliveriesTable {
  webhookId: string;
  deliveryId: string;
  workspaceId: string;
  eventId: string;
  type: string;
  status: string;
  dueAt: Date | null;
  isRetry: boolean;
  isSingle: boolean;
  tries: number;
  attempts: Json;
  createdAt: Date;
}

interface WebhooksTable {
  webhookId: string;
  workspaceId: string;
  url: string;
  types: string[];
  passIds: string[] | null;
  description: string | null;
  payload: string;
  status: string;
  secrets: string;
  problem: string | null;
  failingSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

interface WorkspacesTable {
  workspaceId: string;
  name: string;
  plan: string;
  suspendedAt: Date | null;
  timezone: Generated<string>;
  locale: Generated<string>;
  currency: Generated<string>;
  defaults: Json;
  createdAt: Generated<Date>;
  certificateTold: string | null;
  applePassTypeIdentifier: string | null;
  googleIssuerId: string | null;
  country: string | null;
  rereadAfter: string | null;
  nfcPublicKey: string | null;
  nfcPrivateKey: string | null;
  nfcRedemptionIssuers: Json;
}
