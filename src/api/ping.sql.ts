import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';

/** Resolves when the database answers. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
