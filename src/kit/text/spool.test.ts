import assert from 'node:assert/strict';
import { mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { mountSmallDisk } from '../../../test/small-disk.ts';
import { Spool } from './spool.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-'));
});
after(() => rm(folder, { recursive: true }));

async function allLines(spool: Spool): Promise<string[]> {
  const lines: string[] = [];
  for await (const some of spool.lines()) lines.push(...some);
  return lines;
}

/** Files of the folder that this process has open; none where the system does not list them. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder));
}

describe('a spool', () => {
  const lengths: [what: string, lines: string[]][] = [
    ['nothing', []],
    ['a few lines', ['a', '', 'é🎁']],
    ['lines of many lengths', Array.from({ length: 9_000 }, (_, at) => `${at} ${'é🎁x'.repeat(at % 60)}`)],
    ['a line longer than what it holds', ['a', 'é'.repeat(700_000), 'b']],
  ];
  for (const [what, lines] of lengths) {
    it(`gives back ${what}, more than once, and leaves no file`, async () => {
      const spool = new Spool(folder);
      for (let at = 0; at < lines.length; at += 7) await spool.add(lines.slice(at, at + 7));
      assert.deepEqual(await readdir(folder), []);
      assert.deepEqual(await allLines(spool), lines);
      assert.deepEqual(await allLines(spool), lines);
      await spool.close();
      assert.deepEqual(await openFiles(), []);
    });
  }

  it('has a file only for what is too much to hold', async () => {
    const spool = new Spool(folder);
    await spool.add(['a'.repeat(1_000)]);
    assert.deepEqual(await openFiles(), []);
    await spool.add(['a'.repeat(1_000_000)]);
    if (process.platform === 'linux') assert.equal((await openFiles()).length, 1);
    await spool.close();
  });

  it('makes its folder where there is none, for this account alone', async () => {
    const [outer, inner] = [join(folder, 'new'), join(folder, 'new', 'inner')];
    const spool = new Spool(inner);
    await spool.add(['a'.repeat(1_000_000)]);
    assert.deepEqual(await readdir(inner), []);
    assert.equal((await stat(inner)).mode & 0o777, 0o700);
    await spool.close();
    await rm(outer, { recursive: true });
  });

  it('fails where it cannot write', async () => {
    await writeFile(join(folder, 'file'), '');
    const spool = new Spool(join(folder, 'file', 'below'));
    await assert.rejects(spool.add(['a'.repeat(1_000_000)]), { code: 'ENOTDIR' });
    await spool.close();
    await rm(join(folder, 'file'));
  });

  it('fails as soon as a disk takes only a part', async (t) => {
    const disk = mountSmallDisk(1);
    if (disk === null) return t.skip('needs an account that may mount');
    t.after(() => disk.unmount());
    const spool = new Spool(disk.path);
    await assert.rejects(spool.add(['a'.repeat(2_000_000)]), { code: 'ENOSPC' });
    await spool.close();
  });
});
