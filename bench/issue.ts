import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type BareClient, bareIssue, bareLoad, bareLookUp } from './bare-postgres.ts';
import { fillInstances } from './fill-instances.ts';
import { httpLoad } from './http-load.ts';
import { type BenchResult, report } from './result.ts';
import { type BenchServer, type Service, startService, withPostgres } from './service.ts';
import { connections, figures, roundMs, takeTurns } from './turns.ts';

/**
 * Issue and look-up over HTTP, 32 connections, the service in one process with its default settings, against the
 * same work sent straight from `pg` by as many clients to the same server; and the same once more in a database
 * that holds a million instances. All of them take turns, so that a machine that slows down slows each.
 */
export function bench(): Promise<BenchResult[]> {
  return withPostgres(async (server) => {
    const [small, large] = [await startService(server, 'small'), await startService(server, 'large')];
    await fillInstances(small.pool, small.workspaceId, small.passId, 0, 10_000);
    await fillInstances(large.pool, large.workspaceId, large.passId, 0, 1_000_000);
    const clients = await connectBare(server, small);
    const issue = await takeTurns(201, {
      service: () => httpLoad(small.port, connections, roundMs, issueRequest(small)),
      large: () => httpLoad(large.port, connections, roundMs, issueRequest(large)),
      bare: () => bareLoad(clients, roundMs, (client) => bareIssue(client, small.workspaceId, small.passId)),
    });
    const picks = { small: await barcodePicker(small), large: await barcodePicker(large) };
    const lookUp = await takeTurns(200, {
      service: () => httpLoad(small.port, connections, roundMs, lookUpRequest(small, picks.small)),
      large: () => httpLoad(large.port, connections, roundMs, lookUpRequest(large, picks.large)),
      bare: () =>
        bareLoad(clients, roundMs, (client) => bareLookUp(client, small.workspaceId, picks.small())),
    });
    return [
      ...figures({ ...names, work: 'issue' }, issue),
      ...figures({ ...names, work: 'look-up' }, lookUp),
    ];
  });
}

const names = { ours: 'over HTTP', bare: 'straight from pg', rows: 'instances' };

function issueRequest({ publicPassId, headers }: Service): () => string {
  return () => {
    const id = randomBytes(8).toString('hex');
    const body = `{"externalRef":"${id}","holder":{"identifier":"${id}","name":"Ada Lovelace","email":"${id}@example.com"}}`;
    return `POST /v1/passes/${publicPassId}/instances HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
}

function lookUpRequest({ headers }: Service, pick: () => string): () => string {
  return () => `GET /v1/instances/lookup?barcode=${pick()} HTTP/1.1\r\n${headers}\r\n`;
}

async function connectBare(server: BenchServer, { databaseUrl }: Service): Promise<readonly BareClient[]> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  server.onEnd(() => Promise.all(clients.map((client) => client.end())));
  return clients;
}

async function barcodePicker({ pool }: Service): Promise<() => string> {
  const { rows } = await pool.query<{ barcode: string }>(
    'select barcode from instances order by random() limit 5000',
  );
  return () => rows[Math.floor(Math.random() * rows.length)]?.barcode ?? '';
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
