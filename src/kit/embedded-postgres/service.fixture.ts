import { createInterface } from 'node:readline';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.ts';

/**
 * A small service for the tests: starts the database with the options in its argument (JSON), prints one line
 * of JSON (`{ url, pid }` or `{ error, message }`), and at SIGINT or SIGTERM waits for a line on its input,
 * its drain, before it stops.
 */
const options: EmbeddedPostgresOptions = JSON.parse(process.argv[2] ?? '{}');
const input = createInterface({ input: process.stdin });
try {
  const database = await startEmbeddedPostgres(options);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      console.log(JSON.stringify({ draining: signal }));
      input.once('line', () => database.stop().then(() => process.exit(0)));
    });
  }
  console.log(JSON.stringify({ url: database.url, pid: database.pid }));
} catch (error) {
  const { name, message } = error as Error;
  console.log(JSON.stringify({ error: name, message }));
  process.exit(1);
}
