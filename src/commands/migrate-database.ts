import { migrationsFolder } from '../app.ts';
import { foldAll } from '../cards/fold-texts.ts';
import { ConfigError, readConfig } from '../config.ts';
import { openDatabase, patientMs } from '../kit/db/database.ts';
import { migrate } from '../kit/db/migrate.ts';
import { placement } from '../start/placement.ts';

/** Applies the migrations that DATABASE_URL lacks. The embedded database is migrated by its own service. */
export async function migrateDatabase(): Promise<void> {
  const { databaseUrl } = readConfig();
  if (databaseUrl === null) {
    throw new ConfigError('Set DATABASE_URL: the embedded database is migrated whenever the service starts.');
  }
  const database = openDatabase({
    url: databaseUrl,
    name: 'punchcard migrate',
    connections: 2,
    connectMs: patientMs,
    onError: (error) => console.error(error),
  });
  try {
    const applied = await migrate(database.pool, migrationsFolder, placement);
    const folded = await foldAll(database);
    if (folded > 0) console.log(`Folded the texts of ${folded} cards.`);
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  } finally {
    await database.close();
  }
}
