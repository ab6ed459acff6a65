import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { migrationsFolder } from '../../src/app.ts';
import { migrate } from '../../src/kit/db/migrate.ts';
import { emptyDatabase } from '../restored.ts';
import { growDatabase } from './grow.ts';

const size = { scale: 0.0005, workspaces: 8, seed: 1, until: new Date('2026-01-01Z'), hasBacklog: true };

/** A filled database as the version before has left it, whose last migration is `last`; and what migrates it to this one. */
export async function formerVersion(last: string) {
  const { url, sql } = await emptyDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const former = await mkdtemp(join(tmpdir(), 'migrations-'));
  after(async () => {
    await pool.end();
    await rm(former, { recursive: true });
  });
  for (const name of await readdir(migrationsFolder))
    if (name.slice(0, 4) <= last) await cp(join(migrationsFolder, name), join(former, name));
  await migrate(pool, former);
  await growDatabase(url, size, () => undefined);
  return { url, sql, migrate: () => migrate(pool, migrationsFolder) };
}
