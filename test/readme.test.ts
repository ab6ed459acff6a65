import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestApp } from './harness.ts';
import { freePort } from './service-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [walkThrough = '', mistake = '', change = '', awards = '', orders = ''] = blocksOf('sh', readme).filter(
  (block) => block.includes('curl'),
);

describe('README.md', async () => {
  const port = await freePort();
  const app = await startTestApp({ PORT: String(port), PUBLIC_URL: `http://localhost:${port}` });
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-readme-'));
  after(() => rm(folder, { recursive: true, force: true }));

  test('its walk-through works as it stands', async () => {
    // A checkout whose service has just been started for the first time.
    for (const name of ['src', 'db', 'node_modules', 'package.json', '.npmrc']) {
      await symlink(join(root, name), join(folder, name));
    }
    await cp(app.config.dataDir, join(folder, 'data'), { recursive: true });
    const { stdout } = await paste(
      `${walkThrough}\ncurl -s "$LINK"\n${change}\n${awards}\n${orders}\n${mistake}`,
    );

    assert.match(stdout, /^data\/card\.pkpass: valid/m);
    const preview = readFileSync(join(folder, 'data', 'card.png'));
    assert.equal(preview.toString('latin1', 1, 4), 'PNG');
    assert.match(stdout, /^Now open http:\/\/localhost:\d+\/p\/[\w-]{64}$/m);
    assert.match(stdout, /<title>Blue Bean Club /);
    assert.match(stdout, /"tier":"Gold".*"pushSkipReason":"not_installed"/);
    assert.match(stdout, /"points":120,"balance":120,.*"spent":100,"balance":20,/);
    assert.match(stdout, /"orderId":"1001",.*"issued":true,"pointsAwarded":12,/);
    assert.match(stdout, /"refundId":"1",.*"points":10,"pointsTaken":2,/);
    const [shown = ''] = blocksOf('json', readme);
    const { requestId: _, ...answer } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"error"')));
    const { requestId: __, ...promised } = JSON.parse(shown);
    assert.deepEqual(answer, promised);
  });

  test('says how the console is opened, and what simulators on this machine need', () => {
    assert.match(
      readme,
      /\*\*Open the console\*\*: .*`npm run -s punchcard -- console-link` prints another/s,
    );
    assert.match(
      readme,
      /`npm run -s punchcard -- simulate webhooks`.*unless it was started with the two settings/s,
    );
    assert.match(readme, /npm's `EBADENGINE` warnings .* are harmless.*the only scripts are/s);
  });

  test('its walk-through can be pasted twice', async () => {
    const { stdout } = await paste(walkThrough);
    assert.match(stdout, /^data\/card\.pkpass: valid/m);
  });

  test('the guides to a first card and for a till work when pasted one after the other', async () => {
    const guides = ['first-card', 'till'].map((name) =>
      readFileSync(join(root, 'docs', 'guides', `${name}.md`), 'utf8'),
    );
    const blocks = guides
      .flatMap((guide) => blocksOf('sh', guide))
      .filter((block) => !block.includes('npm ci'));
    const { stdout } = await paste(blocks.join('\n'));
    assert.match(stdout, /"access":"full"/);
    assert.match(stdout, /Now open http:\/\/localhost:\d+\/p\/[\w-]{64}$/m);
    assert.match(stdout, /"tier":"Gold".*"pushSkipReason":"not_installed"/);
    assert.match(stdout, /"points":120,"balance":120,/);
    assert.match(stdout, /"spent":100,"balance":20,/);
    assert.match(stdout, /"points":-120,"balance":-100,/);
  });

  function paste(script: string) {
    return promisify(execFile)(
      'bash',
      ['-eu', '-c', script.replaceAll('localhost:3000', `localhost:${port}`)],
      {
        cwd: folder,
        env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
      },
    );
  }
});

function blocksOf(language: string, markdown: string): string[] {
  return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );
}
