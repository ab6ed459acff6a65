import { join } from 'node:path';
import type { Logger } from 'pino';
import { createAdmission } from './access/admit.ts';
import { heavyWork } from './access/heavy-work.ts';
import { askKeyAgain } from './access/judge-key.ts';
import { createKeyCache, createSessionCache } from './access/key-cache.ts';
import type { Config } from './config.ts';
import type { App, JobName } from './context.ts';
import { schedulePushes } from './delivery/apple/devices.sql.ts';
import { wakeObjectsOf } from './delivery/google/objects.sql.ts';
import { createLiveCards, streamPlaces } from './delivery/web/live-cards.ts';
import { wakeWebCardsOf } from './delivery/web/web-cards.sql.ts';
import { openDueWorkspaces } from './engine/due-workspaces.ts';
import { createProgressStreams, progressLimits } from './engine/progress.ts';
import { mostTogether } from './engine/share-transactions.ts';
import { posterLimits } from './enrolment/poster.ts';
import { createEventWaits, waitLimits } from './events/event-waits.ts';
import { clusterJobs, findDueJobs, jobs, sessionName } from './jobs.ts';
import { openTenants } from './kit/citus/tenants.ts';
import { createBox, createKeyedHash, deriveKey } from './kit/crypto/at-rest.ts';
import { openDatabase } from './kit/db/database.ts';
import type { Violation } from './kit/db/database-errors.ts';
import { createGroupCommit } from './kit/db/group-commit.ts';
import { migrate } from './kit/db/migrate.ts';
import { startEmbeddedPostgres } from './kit/embedded-postgres/start.ts';
import { createCursors } from './kit/http/endpoints/cursor.ts';
import { createHttpServer } from './kit/http/server/server.ts';
import { encodeId, newUuidV7 } from './kit/ids.ts';
import { createBulkhead } from './kit/limits/bulkhead.ts';
import { createRateLimiter } from './kit/limits/rate-limit.ts';
import { createMail } from './kit/mail/mail.ts';
import { Closers } from './kit/processes/closers.ts';
import type { Link } from './kit/processes/process-link.ts';
import { createWorker } from './kit/processes/worker.ts';
import { createSafeCall, createSafeFetch } from './kit/safe-fetch/safe-fetch.ts';
import { createSafePost } from './kit/safe-fetch/safe-post.ts';
import { openLog } from './kit/telemetry/log.ts';
import { uploadTurns } from './lifecycle/upload-barcodes.ts';
import { createImageFiles } from './passes/images/image-files.ts';
import { uploadPlaces } from './passes/images/uploads.ts';
import { createPassMemory } from './passes/programs/pass-memory.ts';
import { readBadges } from './rendering/badges/badges.ts';
import { errorPage } from './rendering/error-page.ts';
import { createNearestPlaces } from './rendering/nearest-places.ts';
import { createPassFiles } from './rendering/pass-file.ts';
import { createPreviewPictures, previewLimits } from './rendering/previews/preview-pictures.ts';
import { createRequestLog } from './request-log/request-log.ts';
import { type AnyCtx, routes } from './routes.ts';
import { recordAddress } from './start/address.ts';
import { checkStart, completeData, requireBounds } from './start/check-start.ts';
import { openDocs } from './start/docs-pages.ts';
import { type FirstRun, prepareFirstRun } from './start/first-run.ts';
import { openMetrics } from './start/open-metrics.ts';
import { openProvider } from './start/open-provider.ts';
import { openWallets } from './start/open-wallets.ts';
import { placement } from './start/placement.ts';
import { describeApi } from './start/reference.ts';
import { loadSecrets } from './start/secrets.ts';
import { sumStatistics } from './statistics/check-statistics.ts';
import { countEvents } from './statistics/count-events.ts';
import { largeBodies } from './stores/read-signed.ts';
import { createSite } from './web-apps/site.ts';
import { mostAnswerBytes } from './webhooks/attempt-delivery.ts';
import { fanOut } from './webhooks/fan-out.ts';
import { createPlaces } from './webhooks/places.ts';
import { createWebhookSender } from './webhooks/send-webhooks.ts';

/** A running service: it answers requests, does the background work, or both. */
export interface RunningApp {
  readonly app: App;
  /** Where it listens; empty when it answers no requests. */
  readonly url: string;
  readonly port: number;
  /** The secrets of the very first start, to be shown once. */
  readonly firstRun: FirstRun | null;
  /** Readiness turns 503 and every answer asks its client to leave. */
  drain(): void;
  /** How many requests it is answering. */
  readonly inFlight: number;
  /** Finishes what is in flight, for up to 10 s, then stops everything that was started. False when it cut something. */
  close(): Promise<boolean>;
}

/** How it is started. */
export interface AppOptions {
  /** The clock; tests move it. */
  readonly now?: () => Date;
  readonly log?: Logger;
  /** Whether it answers requests, and whether it does the background work; both by default. */
  readonly serves?: boolean;
  readonly works?: boolean;
  /** The process that has started this one and its like. */
  readonly parent?: Link | undefined;
  /** Whether one of its like listens at the port already, and shares it. */
  readonly joins?: boolean;
}

/** Where the numbered migrations lie. */
export const migrationsFolder = new URL('../db/migrations', import.meta.url).pathname;

/** Builds and wires everything once and starts to serve. Whatever fails, nothing is left running. */
export async function startApp(config: Config, options: AppOptions = {}): Promise<RunningApp> {
  const log =
    options.log ??
    openLog(config.logLevel, { isShared: options.parent !== undefined, format: config.logFormat });
  const closers = new Closers();
  try {
    return await wire(config, log, options, closers);
  } catch (error) {
    await closers.closeAll().catch((failure) => log.error({ err: failure }, 'the start was not undone'));
    throw error;
  }
}

async function wire(
  config: Config,
  log: Logger,
  { now = () => new Date(), serves = true, works = true, parent, joins }: AppOptions,
  closers: Closers,
): Promise<RunningApp> {
  await checkStart(config, serves && !joins);
  const sessions = sessionName(serves, works);
  const { operatorToken, encryptionKey, database, tenants } = await openData(config, log, sessions, closers);
  const wallets = await openWallets(config, { database, encryptionKey, log, now }, closers);
  const places = createBulkhead(streamPlaces);
  const webCards = createLiveCards({ ctx: () => ({ app, requestId: 'web_cards' }), places });
  closers.push(() => webCards.close());
  const limiter = await createRateLimiter({
    redisUrl: config.redisUrl,
    parent,
    clock: () => performance.now(),
    log,
    prefix: 'punchcard:rate:',
  });
  closers.push(() => limiter.close());
  const mail = createMail({ smtpUrl: config.mail.smtpUrl, folder: join(config.dataDir, 'mail'), log });
  closers.push(() => mail.close());
  const requestLog = createRequestLog({ database, now, log, probes });
  closers.push(() => requestLog.close());
  const metrics = openMetrics(database, { limiter, parent, requestLog }, wallets);
  const images = createImageFiles(database);
  const nearestPlaces = createNearestPlaces(database);
  const due = await openDueWorkspaces<JobName>({ database, now, log, wake: (job) => worker?.wake(job) });
  closers.push(() => due?.close());
  const groupCommit = createGroupCommit(tenants, due === null ? mostTogether : 1);
  const eventWaits = createEventWaits(database, createBulkhead(waitLimits));
  closers.push(async () => eventWaits.close());
  const progress = createProgressStreams(() => app, createBulkhead(progressLimits));
  closers.push(() => progress.close());
  const webhookSender = createWebhookSender(
    { ctx: () => ({ app, requestId: 'job_deliverWebhooks' }), places: createPlaces() },
    { works },
  );
  closers.push(() => webhookSender.close());
  let reference: ReturnType<App['reference']> | undefined;
  const notNoted = (whose: string) => (err: unknown) =>
    log.warn({ err }, `a ${whose}'s last use was not noted`);
  const ours = { allow: config.fetchAllow, userAgent: 'Punchcard' };
  const app: App = {
    config,
    operatorToken,
    log,
    database,
    groupCommit,
    cursors: createCursors(deriveKey(encryptionKey, 'cursors')),
    keyCache: createKeyCache({ database, groupCommit, now }, notNoted('key')),
    sessionCache: createSessionCache({ database, groupCommit, now }, notNoted('session')),
    askKeyAgain,
    box: createBox(encryptionKey),
    addressHash: createKeyedHash(encryptionKey, 'addresses'),
    ...wallets,
    passMemory: createPassMemory(),
    passFiles: createPassFiles({ publicUrl: config.publicUrl, images, nearestPlaces }),
    nearestPlaces,
    badges: readBadges(join(config.dataDir, 'badges'), log),
    previews: createPreviewPictures(createBulkhead(previewLimits)),
    posters: createBulkhead(posterLimits),
    fetchUrl: createSafeFetch(ours),
    callStore: createSafeCall(ours),
    identityProvider: openProvider(config),
    images,
    mail,
    webCards,
    wakeWallets: { pushDevices: schedulePushes, patchObjects: wakeObjectsOf, pushWebCards: wakeWebCardsOf },
    followers: { send: fanOut, count: countEvents },
    sumStatistics,
    webhookSender,
    webhookPost: createSafePost({ ...ours, allowsHttp: config.webhookAllowHttp, mostBytes: mostAnswerBytes }),
    eventWaits,
    progress,
    reference: () => (reference ??= describeApi(routes, config.publicUrl)),
    docs: openDocs(config.dataDir, config.publicUrl),
    limiter,
    uploadTurns: createBulkhead(uploadTurns),
    imageUploads: createBulkhead(uploadPlaces),
    largeBodies: createBulkhead(largeBodies),
    heavyWork: heavyWork(createBulkhead),
    now,
    wake: (job, workspaceId) => (due === null ? worker?.wake(job) : due.note(job, workspaceId)),
    dueWorkspaces: due,
    isDraining: () => server.isDraining,
    metrics: () => metrics.text(),
  };
  const server = createHttpServer<AnyCtx>({
    routes: config.console ? routes : routes.filter(({ endpoint }) => endpoint.tag !== consoleTag),
    admit: createAdmission(app) as (admission: unknown) => Promise<AnyCtx>,
    log,
    // By time: random ones would go all over the indexes of what requests leave.
    generateRequestId: () => `req_${newUuidV7()}`,
    trustProxy: config.trustProxy,
    mergeSlashesBelow: ['/apple/'],
    isVital: (route) => (route as (typeof routes)[number]).access === 'probe',
    errorPage,
    site: createSite(app, serves && config.console),
    callerOf: (ctx) => ctx.workspaceId ?? ctx.session?.personId ?? (ctx.operator ? 'operator' : null),
    logFields: ({ key, actor, workspaceId }) =>
      key === undefined ? {} : { [`${key.kind}Id`]: actor, workspaceId: encodeId('ws', workspaceId) },
    onAnswer(facts) {
      metrics.answered({ op: facts.op ?? 'none', status: facts.status, ms: facts.ms });
      if (config.requestLog) requestLog.note(facts);
    },
  });
  const firstRun = await prepareFirstRun(app);
  if (serves) await recordAddress(config, log);
  const worker = works
    ? createWorker({
        jobs: due === null ? jobs : [...jobs, ...clusterJobs],
        ctxOf: ({ name }) => ({ app, requestId: `job_${name}` }),
        look: () => findDueJobs({ app, requestId: 'look' }),
        log,
      })
    : null;
  closers.work(async () => {
    log.info({ requests: server.inFlight + server.waiting }, 'finishing requests, stopping jobs');
    const [jobs = [], requests] = await Promise.all([worker?.stop(), server.close()]);
    const isDone = jobs.length === 0 && requests === 0;
    if (!isDone) log.warn({ requests, jobs }, 'not finished in 10 s: cut');
    return isDone;
  });
  const at = serves ? await server.listen({ ...config, joins }) : { url: '', port: 0 };
  return {
    app,
    ...at,
    firstRun,
    drain: () => server.drain(),
    get inFlight() {
      return server.inFlight + server.waiting;
    },
    close: () => closers.closeAll(),
  };
}

/** The secrets, and the database with the schema of this version. */
async function openData(config: Config, log: Logger, sessions: string, closers: Closers) {
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null;
  if (embedded !== null)
    closers.server(() => {
      log.info('stopping the database');
      return embedded.stop();
    });
  const secrets = await loadSecrets(config);
  const options = {
    url: config.databaseUrl ?? embedded?.url ?? '',
    name: sessions,
    keyHash: createKeyedHash(secrets.encryptionKey, 'idempotency keys'),
    connections: config.databasePool,
    onError: (error: Error) => log.warn({ err: error }, 'a database connection was lost'),
    onViolation: (key: Violation) => log.warn(key, 'a key was violated, and the transaction starts again'),
  };
  const database = openDatabase(options);
  closers.push(() => database.close());
  await requireBounds(database, log);
  await migrate(database.pool, migrationsFolder, placement);
  await completeData(database, log);
  const tenants = await openTenants(database, { ...options, connections: config.databaseNodePool });
  closers.push(() => tenants.close());
  return { ...secrets, database, tenants };
}

/** Routes that show load balancers and Prometheus the state of the service. */
const probes = new Set(routes.filter(({ access }) => access === 'probe').map(({ endpoint }) => endpoint.op));

/** What there is for people who sign in, and nothing of it with CONSOLE=off. */
const consoleTag = 'People';
