import type { DatabaseConnection } from 'kysely';
import { Session } from './session.ts';
import { sendBy } from './sql.ts';

/** Has statements on a connection that `db` keeps leave by its session, so that several go in one write. */
export async function sendBySession(db: Parameters<typeof sendBy>[0]): Promise<void> {
  await db.getExecutor().provideConnection(async (connection: DatabaseConnection) => {
    if (connection instanceof Session) sendBy(db, connection);
  });
}
