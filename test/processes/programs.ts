import { findProgram } from '../find-program.ts';

const redis = ['valkey-server', 'redis-server'];
const pgbouncer = ['pgbouncer'];

/** A server of Redis's protocol; where the machine has none, the reason to skip what needs it. */
export const redisProgram = required(
  redis,
  'These need Redis or Valkey. On Debian and Ubuntu: apt-get install redis-server (or valkey-server).',
);
/** PgBouncer, likewise. */
export const pgbouncerProgram = required(
  pgbouncer,
  'These need PgBouncer. On Debian and Ubuntu: apt-get install pgbouncer.',
);

interface Required {
  /** Its path; empty where it is missing. */
  readonly path: string;
  /** For `skip`: false where it is there. */
  readonly missing: string | false;
}

function required(names: readonly string[], howToInstall: string): Required {
  const path = findProgram(names);
  // A machine that decides about changes must not pass them over.
  if (path === null && process.env.CI !== undefined) throw new Error(howToInstall);
  return { path: path ?? '', missing: path === null && howToInstall };
}
