import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The least that could answer a device: one prepared SELECT for each request, straight from the path, and no check of
 * anything. A process of its own on the database of the first argument; sends its port to its parent.
 *
 * `/changes/{device}/{passType}/{tag}` lists what has changed, `/cards/{workspaceId}/{instanceId}` is always 304 for who asks
 * with the newest Last-Modified.
 */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });

const changesSql = `select d.tag, r.workspace_id, r.instance_id
  from apple_devices d join apple_registrations r using (workspace_id, device_id)
  where d.device_library_identifier = $1 and d.pass_type_identifier = $2 and r.tag > $3`;
const cardSql = `select i.authentication_token, i.modified_at, i.pass_revision, p.revision, p.modified_at as pass_modified_at
  from instances i join passes p using (workspace_id, pass_id)
  where i.workspace_id = $1 and i.instance_id = $2`;

async function listChanges(response: ServerResponse, values: string[]): Promise<void> {
  const { rows } = await pool.query({ name: 'changes', text: changesSql, values });
  if (rows.length === 0) {
    response.writeHead(204).end();
    return;
  }
  const body = JSON.stringify({
    serialNumbers: rows.map((row) => row.instance_id),
    lastUpdated: rows[0].tag,
  });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}

async function compareCard(response: ServerResponse, values: string[], since: string): Promise<void> {
  const { rows } = await pool.query({ name: 'card', text: cardSql, values });
  const modified = new Date(Math.max(rows[0].modified_at, rows[0].pass_modified_at));
  modified.setMilliseconds(0);
  const status = modified.getTime() <= Date.parse(since) ? 304 : 200;
  response.writeHead(status, { 'last-modified': modified.toUTCString(), 'content-length': 0 }).end();
}

const server = createServer(({ url = '', headers }, response) => {
  const [, what, ...values] = url.split('/');
  if (what === 'changes') void listChanges(response, values);
  else void compareCard(response, values, headers['if-modified-since'] ?? '');
});
server.listen(0, '127.0.0.1', () => process.send?.(String((server.address() as AddressInfo).port)));
