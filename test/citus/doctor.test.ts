import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { startTcpProxy } from '../../tools/fakes/tcp-proxy.ts';
import { needsCluster, nodesOf, startTestApp } from '../harness.ts';
import { runCommand } from '../run-command.ts';

describe('punchcard doctor on a cluster', needsCluster, async () => {
  if (needsCluster.skip !== undefined) return;
  const app = await startTestApp({ WORKERS: 'off' });
  const settings = {
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.config.dataDir,
    PUBLIC_URL: app.config.publicUrl,
  };
  const [, node = ''] = nodesOf(app.databaseUrl);
  const { hostname, port, pathname } = new URL(node);

  it('finds nothing to do where the service has just started', async () => {
    const { code, printed } = await runCommand(['doctor'], settings);
    assert.match(printed, /^✓ 3 of 3 nodes of the Citus cluster answer: PostgreSQL \d+.*, Citus \d+/m);
    assert.match(printed, /^✓ Shards: \d+ on .*, \d+ on /m);
    assert.equal(code, 0, printed);
  });

  it('names the bounds that a node lacks, and the table that is not distributed', async () => {
    const client = new pg.Client({ connectionString: node });
    await client.connect();
    await client.query('set citus.enable_alter_role_set_propagation = off');
    await client
      .query(`alter role current_user in database ${pathname.slice(1)} reset lock_timeout`)
      .finally(() => client.end());
    await app.sql('create table strays (workspace_id uuid)');
    const { code, printed } = await runCommand(['doctor'], settings);
    const where = `${hostname}:${port}`.replaceAll('.', '\\.');
    assert.match(
      printed,
      new RegExp(
        `^✗ A lock could be waited for too long on a node\\n.*: ${where}\\. .*lock_timeout = 2000;`,
        'm',
      ),
    );
    assert.match(printed, /^✗ Tables are not distributed: strays\n {4}Run: punchcard migrate/m);
    assert.equal(code, 1);
    assert.equal((await runCommand(['migrate'], settings)).code, 0);
    assert.equal((await runCommand(['doctor'], settings)).code, 0);
  });

  it('names the node that does not answer', async (t) => {
    const proxy = await startTcpProxy(node);
    t.after(() => proxy.close());
    proxy.isDown = true;
    const away = new URL(proxy.url);
    await app.sql(
      'select citus_update_node(nodeid, $1, $2) from pg_dist_node where nodename = $3 and nodeport = $4',
      [away.hostname, away.port, hostname, port],
    );
    const { code, printed } = await runCommand(['doctor'], settings);
    assert.match(
      printed,
      new RegExp(`^✗ Node ${away.hostname}:${away.port} does not answer\\n {4}.*failed to connect`, 'm'),
    );
    assert.equal(code, 1);
  });
});
