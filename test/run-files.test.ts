import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

const folder = await mkdtemp(join(tmpdir(), 'punchcard-run-files-'));
after(() => rm(folder, { recursive: true }));

/** Runs test files, one after the other in a process; the exit code, and what was printed. */
async function run(files: Readonly<Record<string, string>>): Promise<{ code: number; text: string }> {
  const paths = Object.keys(files).map((name) => join(folder, name));
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), `import { it } from 'node:test';\n${text}`);
  const program = `
    import { runFiles } from ${JSON.stringify(new URL('run-files.ts', import.meta.url).href)};
    process.exitCode = await runFiles(${JSON.stringify(paths)}, {}, 16, 1);`;
  // Within a test node:test would not run files.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', program], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: `${stdout}${stderr}` }),
    );
  });
}

describe('test files that share a process', () => {
  const waits = `it('waits for nothing that keeps a process alive', () => new Promise((done) => setTimeout(done, 5).unref()));`;

  it('are all reported, also behind one that waits for what keeps no process alive', async () => {
    const { code, text } = await run({
      'waits.test.mjs': waits,
      'fails.test.mjs': `it('fails', () => { throw new Error('as it should'); });`,
    });
    assert.match(text, /as it should/);
    assert.equal(code, 1);
  });

  it('pass where each of them does', async () => {
    const { code, text } = await run({
      'waits.test.mjs': waits,
      'passes.test.mjs': `it('passes', () => undefined);`,
    });
    assert.equal(code, 0, text);
    assert.match(text, /pass 4/);
  });
});
