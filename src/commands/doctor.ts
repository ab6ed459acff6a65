import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrationsFolder } from '../app.ts';
import type { Config } from '../config.ts';
import type { DueCtx } from '../context.ts';
import { listAlarms } from '../diagnosis/explain-pushes.ts';
import { type Database, openDatabase, patientMs } from '../kit/db/database.ts';
import { inspectSessions } from '../kit/db/inspect-sessions.ts';
import { MigrationRefused, pendingMigrations } from '../kit/db/migrate.ts';
import { findRunningServer } from '../kit/embedded-postgres/start.ts';
import type { WalletScopes } from '../pushes/wallet-stops.sql.ts';
import { commandConfig } from '../start/address.ts';
import { loadAppleIdentity } from '../start/secrets.ts';
import { CertificateProblem } from '../wallet/apple/certificates/certificate-fields.ts';
import { type Finding, inspectIdentity } from '../wallet/apple/certificates/inspect-identity.ts';
import { loadServiceAccount, ServiceAccountProblem } from '../wallet/google/service-account.ts';
import { checkBackup, checkDisk } from './back-up.ts';
import { checkCluster } from './check-cluster.ts';
import { checkIdentities } from './check-identities.ts';
import { checkMail } from './check-mail.ts';
import { checkWebhooks } from './check-webhooks.ts';
import { checkWork } from './check-work.ts';
import { diagnoseInstance } from './diagnose-instance.ts';
import { explainFailure } from './explain-failure.ts';

/**
 * Checks everything that a start depends on, or why a phone does not show an update of one card; prints what to do about
 * each problem. Exit code 1 on an error.
 */
export async function doctor({ instance }: { instance?: string }): Promise<void> {
  const config = commandConfig();
  print(instance === undefined ? await checkInstallation(config) : await diagnoseInstance(config, instance));
}

async function checkInstallation(config: Config): Promise<Finding[]> {
  return [
    ...checkRuntime(),
    ...checkAddress(config),
    ...(await checkDatabase(config)),
    ...(await checkApple(config)),
    ...checkGoogle(config),
    await checkMail(config),
    ...(await checkDisk(config.dataDir)),
    await checkBackup(config.dataDir, new Date()),
  ];
}

function print(findings: readonly Finding[]): void {
  const marks = { ok: '✓', warning: '!', error: '✗' };
  for (const { level, what, advice } of findings) {
    console.log(`${marks[level]} ${what}${advice === undefined ? '' : `\n    ${advice}`}`);
  }
  if (findings.some((finding) => finding.level === 'error')) process.exitCode = 1;
}

function checkRuntime(): Finding[] {
  return [{ level: 'ok', what: `Node ${process.version}` }];
}

function checkAddress({ publicUrl }: Config): Finding[] {
  if (publicUrl.startsWith('https://')) return [{ level: 'ok', what: `Public address ${publicUrl}` }];
  const advice =
    'Phones fetch updates over https only: set PUBLIC_URL to the https address in front of the service.';
  return [{ level: 'warning', what: `Public address ${publicUrl} is not https`, advice }];
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const url = config.databaseUrl ?? (await findRunningServer(config.dataDir));
  if (url === null) {
    const made = existsSync(join(config.dataDir, 'postgres'));
    const when = made
      ? 'the service does not run, so that nothing was asked of it'
      : 'made at the first start';
    return [{ level: 'ok', what: `Embedded PostgreSQL in ${config.dataDir} (${when})` }];
  }
  const database = openDatabase({
    url,
    name: 'punchcard doctor',
    connections: 2,
    connectMs: patientMs,
    onError: () => undefined,
  });
  const findings: Finding[] = [];
  try {
    const { rows } = await database.pool.query<{ version: string }>(
      "select current_setting('server_version') as version",
    );
    const version = rows[0]?.version ?? '';
    findings.push({ level: 'ok', what: `PostgreSQL ${version} answers` });
    if (Number.parseInt(version, 10) < 15)
      findings.push({ level: 'error', what: 'PostgreSQL is older than 15', advice: 'Upgrade it.' });
    findings.push(...(await checkSessions(database)));
    findings.push(...(await checkCluster(database.pool)));
    const schema = await checkSchema(database);
    // Where the schema is another there may be no place where alarms are kept.
    findings.push(...schema);
    if (schema.length > 0) return findings;
    const scopes = await scopesOf(config);
    return [
      ...findings,
      ...(await listAlarms(database.db, scopes)),
      ...(await checkIdentities(database.db, new Date())),
      ...(await checkWork(database, dueCtx(scopes))),
      ...(await checkWebhooks(database.db, new Date())),
    ];
  } catch (error) {
    const advice =
      explainFailure(error) ??
      `Check DATABASE_URL and the network: ${error instanceof Error ? error.message : error}`;
    // What was found before is true: it may name the node of a cluster that is the reason.
    const what =
      findings.length === 0 ? 'The database does not answer' : 'The database has not answered all questions';
    return [...findings, { level: 'error', what, advice }];
  } finally {
    await database.close();
  }
}

/** What the wallets know us by. Without a certificate nothing is sent to Apple. */
async function scopesOf(config: Config): Promise<WalletScopes> {
  const identity = await loadAppleIdentity(config, new Date()).catch(() => null);
  const { issuerId } = config.google;
  return {
    apple: identity === null ? [] : [identity.passTypeIdentifier],
    google: issuerId === null ? [] : [issuerId],
  };
}

/** Of this process nothing is paused. */
function dueCtx({ apple: [apple = ''], google: [google] }: WalletScopes): DueCtx {
  return {
    app: {
      now: () => new Date(),
      apple: { passTypeIdentifier: apple },
      google: google === undefined ? null : { issuerId: google },
      apns: { pausedUntil: null },
      mail: { pausedUntil: null },
    },
  };
}

async function checkSchema({ pool }: Database): Promise<Finding[]> {
  try {
    const pending = await pendingMigrations(pool, migrationsFolder);
    if (pending.length === 0) return [];
    const what = `Pending migrations: ${pending.join(', ')}`;
    return [{ level: 'warning', what, advice: 'They run at the next start, or with: punchcard migrate' }];
  } catch (error) {
    if (!(error instanceof MigrationRefused)) throw error;
    return [
      { level: 'error', what: 'The database and the program do not fit together', advice: error.message },
    ];
  }
}

async function checkSessions({ pool }: Database): Promise<Finding[]> {
  const { unbounded, forgetful } = await inspectSessions(pool);
  const findings: Finding[] = [];
  if (unbounded !== null)
    findings.push({ level: 'error', what: 'A statement could last for ever', advice: unbounded });
  if (forgetful !== null)
    findings.push({
      level: 'error',
      what: `A crash of the database loses what was acknowledged: ${forgetful}`,
      advice: 'Every commit must reach the disk: turn it on.',
    });
  return findings;
}

async function checkApple(config: Config): Promise<Finding[]> {
  try {
    return inspectIdentity(await loadAppleIdentity(config, new Date()), new Date());
  } catch (error) {
    if (!(error instanceof CertificateProblem)) throw error;
    return [{ level: 'error', what: 'The Apple certificate cannot be used', advice: error.message }];
  }
}

function checkGoogle({ google: { serviceAccount, issuerId } }: Config): Finding[] {
  if (serviceAccount === null && issuerId === null)
    return [{ level: 'ok', what: 'Google Wallet is not set up: holders get Apple Wallet and the web card' }];
  if (serviceAccount === null || issuerId === null) {
    const missing = serviceAccount === null ? 'GOOGLE_SERVICE_ACCOUNT' : 'GOOGLE_ISSUER_ID';
    return [
      {
        level: 'error',
        what: `Google Wallet needs ${missing}, too`,
        advice: 'Set both, or neither of them.',
      },
    ];
  }
  try {
    const { clientEmail } = loadServiceAccount(serviceAccount);
    return [{ level: 'ok', what: `Google Wallet: issuer ${issuerId}, service account ${clientEmail}` }];
  } catch (error) {
    if (!(error instanceof ServiceAccountProblem)) throw error;
    return [{ level: 'error', what: 'Google Wallet cannot be used', advice: error.message }];
  }
}
