import type { Logger } from 'pino';
import type { HeavyWork } from './access/heavy-work.ts';
import type { KeyCache, SessionCache } from './access/key-cache.ts';
import type { AdmittedSession } from './access/sessions.sql.ts';
import type { Config } from './config.ts';
import type { GoogleIssuer } from './delivery/google/google-issuer.ts';
import type { GoogleIssuers } from './delivery/google/google-issuers.ts';
import type { OpenWebCards } from './delivery/web/open-web-cards.ts';
import type { DueWorkspaces } from './engine/due-workspaces.ts';
import type { ProgressStreams } from './engine/progress.ts';
import type { SeqRange } from './events/event-log.sql.ts';
import type { EventWaits } from './events/event-waits.ts';
import type { Box, KeyedHash } from './kit/crypto/at-rest.ts';
import type { Database, Db, Tx } from './kit/db/database.ts';
import type { GroupCommit } from './kit/db/group-commit.ts';
import type { DocsSite } from './kit/docs/docs-site.ts';
import type { Cursors } from './kit/http/endpoints/cursor.ts';
import type { Bulkhead } from './kit/limits/bulkhead.ts';
import type { RateLimiter } from './kit/limits/rate-limit.ts';
import type { Mail } from './kit/mail/mail.ts';
import type { SafeCall, SafeFetch } from './kit/safe-fetch/safe-fetch.ts';
import type { SafePost } from './kit/safe-fetch/safe-post.ts';
import type { OtherSums } from './ledger/audit-ledger.ts';
import type { ImageFiles } from './passes/images/image-files.ts';
import type { PassMemory } from './passes/programs/pass-memory.ts';
import type { Role } from './people/roles.ts';
import type { Badges } from './rendering/badges/badges.ts';
import type { PassFiles } from './rendering/card-files.ts';
import type { NearestPlaces } from './rendering/nearest-places.ts';
import type { PreviewPictures } from './rendering/previews/preview-pictures.ts';
import type { IdentityProvider } from './sign-in/identity-provider.ts';
import type { Apns } from './wallet/apple/apns-push.ts';
import type { SigningIdentity } from './wallet/apple/certificates/certificates.ts';
import type { WebPush } from './wallet/web/web-push.client.ts';
import type { AppleIssuers } from './wallet-credentials/apple-issuers.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/** The background work that is done as soon as there is some: src/jobs.ts has it all. */
export type JobName =
  | 'followLogs'
  | 'deliverWebhooks'
  | 'walkRollouts'
  | 'sendPlanned'
  | 'endMessages'
  | 'unlockRewards'
  | 'flushSkipped'
  | 'pushDevices'
  | 'pushOwnDevices'
  | 'patchObjects'
  | 'patchOwnObjects'
  | 'pushWebCards'
  | 'runSweeps'
  | 'workOffWebhooks'
  | 'reconcileStores'
  | 'obeyPrivacyRequests'
  | 'sendInvites'
  | 'giveUpPushes'
  | 'expireWebCards';

/** What every operation works with; built once by app.ts. */
export interface App {
  readonly config: Config;
  readonly operatorToken: string;
  readonly log: Logger;
  readonly database: Database;
  readonly groupCommit: GroupCommit;
  readonly cursors: Cursors;
  readonly keyCache: KeyCache;
  readonly sessionCache: SessionCache;
  readonly askKeyAgain: AskKeyAgain;
  /** Seals secrets that must be stored. */
  readonly box: Box;
  /** Hashes e-mail addresses where the address itself is not to be kept. */
  readonly addressHash: KeyedHash;
  /** What passes of workspaces without a certificate of their own are signed with. */
  readonly apple: SigningIdentity;
  readonly passFiles: PassFiles;
  readonly nearestPlaces: NearestPlaces;
  /** Passes and programs that were read, for those who ask whether they have changed since. */
  readonly passMemory: PassMemory;
  /** Fetches a URL that a caller gave: the only way. */
  readonly fetchUrl: SafeFetch;
  /** Calls the API of a connected store: the only way. */
  readonly callStore: SafeCall;
  /** Who vouches for people; null where the operator has named no provider. */
  readonly identityProvider: IdentityProvider | null;
  readonly images: ImageFiles;
  /** Posts letters, or writes them to files. */
  readonly mail: Mail;
  readonly previews: PreviewPictures;
  /** Turns of posters to be drawn, by workspace. */
  readonly posters: Bulkhead;
  /** The official artwork of wallets, as far as the operator has put it in. */
  readonly badges: Badges;
  /** Pushes to devices of the pass type that passes are signed for. */
  readonly apns: Apns;
  /** These two of the installation, and of workspaces with a certificate of their own. */
  readonly appleIssuers: AppleIssuers;
  /** The account of the installation with Google Wallet; null where there is none. */
  readonly google: GoogleIssuer | null;
  /** That, and those of workspaces with an account of their own. */
  readonly googleIssuers: GoogleIssuers;
  /** Pushes to browsers. */
  readonly webPush: WebPush;
  /** The web cards that browsers have open here. */
  readonly webCards: OpenWebCards;
  /** Put cards on their way to each kind of wallet. */
  readonly wakeWallets: Readonly<Record<WalletJob, WakeWallets>>;
  /** What follows the event log. */
  readonly followers: LogFollowers;
  /** What statistics say that a ledger adds up to: its audit compares. */
  readonly sumStatistics: OtherSums;
  /** Sends events to webhooks. */
  readonly webhookSender: WebhookSender;
  /** Posts to URLs that workspaces have named: the only way. */
  readonly webhookPost: SafePost;
  /** Callers who wait for events. */
  readonly eventWaits: EventWaits;
  /** Callers who watch long work. */
  readonly progress: ProgressStreams;
  /** For what is limited beyond the number of requests. */
  readonly limiter: RateLimiter;
  /** Uploads that write at the same time; the others wait for their turn without a connection. */
  readonly uploadTurns: Bulkhead;
  /** The only clock: tests move it. */
  now(): Date;
  /** Places for uploaded images, which are large. */
  readonly imageUploads: Bulkhead;
  /** Places for callers who send much before it is known whether they may. */
  readonly largeBodies: Bulkhead;
  readonly heavyWork: HeavyWork;
  /**
   * Has a job of this process begin, where there is something to do in a workspace; call it after the commit. Other
   * processes notice by themselves, soon.
   */
  wake(job: JobName, workspaceId: string): void;
  /** On a cluster: in which workspaces something is due; null on a single PostgreSQL, which is asked itself. */
  readonly dueWorkspaces: DueWorkspaces<JobName> | null;
  /** True from SIGTERM on. */
  isDraining(): boolean;
  /** The description of the API; made when it is first asked for. */
  readonly reference: () => { readonly json: Buffer };
  /** The pages of it, and of the guides; read when they are first asked for. */
  readonly docs: () => Promise<DocsSite>;
  metrics(): Promise<string>;
}

/** The jobs that bring cards to their wallets. */
export type WalletJob = Extract<JobName, 'pushDevices' | 'patchObjects' | 'pushWebCards'>;

/**
 * Has the wallets of a kind that hold the cards, all of one workspace, brought up to date: at once, or where a rollout
 * reaches them, devices once it has ended. The jobs that have something to do at once.
 */
export type WakeWallets = (
  tx: Tx,
  cards: readonly { readonly workspaceId: string; readonly instanceId: string }[],
  at: Date,
  rolloutId: string | null,
) => Promise<readonly JobName[]>;

/** What follows the event log: each gets every event of a workspace once, in its order, in the transaction that moves the cursor. */
export interface LogFollowers {
  /** Makes the deliveries of some events; whether the workspace has webhooks. */
  send(tx: Tx, ctx: PublicCtx, workspaceId: string, range: SeqRange): Promise<boolean>;
  /** Adds events to the statistics; the last one that it has counted, which may come before the end. */
  count(tx: Tx, workspaceId: string, range: SeqRange, countsFrom: Date | null): Promise<number>;
}

/** What only wants to know the time: it may be called by a command, too, which has no service. */
export interface ClockCtx {
  readonly app: Pick<App, 'now'>;
}

/** What is needed to find the background work that is due; a command has it without a service. */
export interface DueCtx extends ClockCtx {
  readonly app: Pick<App, 'now'> & {
    readonly apple: Pick<App['apple'], 'passTypeIdentifier'>;
    readonly google: Pick<GoogleIssuer, 'issuerId'> | null;
    readonly apns: Pick<Apns, 'pausedUntil'>;
    readonly mail: Pick<Mail, 'pausedUntil'>;
  };
}

/** What the operator acts with: a request has it, and so has a command, which has no service. */
export interface CommandCtx {
  readonly app: Pick<App, 'config' | 'now' | 'wake'>;
  readonly requestId: string;
}

/** The same, of a caller who acts in one workspace. */
export type CommandInWorkspace = CommandCtx & Pick<ActorCtx, 'workspaceId' | 'actor'>;

/** A request that was admitted without a key. */
export interface PublicCtx {
  readonly app: App;
  readonly requestId: string;
  /** The client's address; background work has none. */
  readonly ip?: string;
  /** What the request came by: its signal is given once the client has gone, or has its answer. Background work has none. */
  readonly client?: { readonly signal: AbortSignal };
}

/** A request of the operator of the installation. */
export interface OperatorCtx extends PublicCtx {
  readonly operator: true;
}

/** A request of a person who is signed in, of no workspace in particular. */
export interface SessionCtx extends PublicCtx {
  readonly session: AdmittedSession;
}

/** The actor in a workspace: an API key, a person, or background work on behalf of a store. */
export interface ActorCtx extends PublicCtx {
  readonly workspaceId: string;
  /** Its name in the audit log and the ledger: the public id of a key, a person or a store. */
  readonly actor: string;
  /** The only passes it reaches; null for all. */
  readonly passIds: ReadonlySet<string> | null;
  /** Absent: of background work. */
  readonly key?: Caller;
}

/** A request with an API key, or of a person in a workspace: everything it does stays in that workspace. */
export interface KeyCtx extends ActorCtx {
  readonly key: Caller;
  /** What it was let in for. */
  readonly access: Access;
  /** The moment at which its key or session was read, on the clock of `performance.now()`. */
  readonly admittedAt: number;
}

/** Asks again for the key or session of a caller who was let in a while ago. Each raises what admission would raise now. */
export interface AskKeyAgain {
  /** Where the request took long to arrive, `lateMs` or more: as of 0.8 s ago at most. */
  ifLate(ctx: KeyCtx, lateMs?: number): Promise<KeyCtx>;
  /**
   * The same before an answer is made that took long: raises also where the caller may read less than it was let in for, since
   * it is not known how much of that is in the answer.
   */
  beforeAnswer(ctx: KeyCtx, lateMs?: number): Promise<void>;
  /** As of this moment. */
  now(db: Db, ctx: KeyCtx): Promise<KeyCtx>;
  /** As of this moment and until the transaction ends: no other transaction changes a key of the workspace before that. */
  holding(tx: Tx, ctx: KeyCtx): Promise<KeyCtx>;
}

/** What an API key may do, or a person. */
export interface Caller {
  readonly kind: 'key' | 'person';
  readonly secretHash: Buffer;
  readonly name: string;
  readonly role: Role;
  readonly access: 'full' | 'read';
  /** The only partner that its awards and redeems are for, as its uuid; null for any. */
  readonly partnerId: string | null;
  /** The shared till at which a person is signed in, as its uuid; null: none. */
  readonly deviceId: string | null;
  /** Requests per second; null for the installation's default. */
  readonly rateLimit: number | null;
}

/**
 * Who may call a route. `pass` and `till` routes also serve keys that are restricted to certain passes, and check the pass
 * themselves; `workspace` and `owner` routes do not. `read` is open to read-only keys. Of people the staff get to `till`
 * routes alone, and only owners to those of `owner`; `export` is a `pass` route that takes everything along. `session` is
 * for people wherever they belong. `probe` is public without a rate limit; `signed` is for machines that prove by a
 * signature of the body who they are, and has a wide one.
 */
export type Access =
  | 'probe'
  | 'public'
  | 'signed'
  | 'operator'
  | 'session'
  | 'any key'
  | 'read till'
  | 'write till'
  | 'read pass'
  | 'write pass'
  | 'read export'
  | 'read workspace'
  | 'write workspace'
  | 'write owner';

/** The access words that fit what the endpoint is handed. */
export type AccessOf<Ctx> = Ctx extends KeyCtx
  ? Exclude<Access, 'probe' | 'public' | 'signed' | 'operator' | 'session'>
  : Ctx extends OperatorCtx
    ? 'operator'
    : Ctx extends SessionCtx
      ? 'session'
      : 'public' | 'signed' | 'probe';
