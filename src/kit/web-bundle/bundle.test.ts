import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { until } from '../../../test/wallets.ts';
import { loadBundle, shipBundle } from './bundle.ts';

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const run = promisify(execFile);

/** The processes of this one that bundle. */
async function bundlers(): Promise<number[]> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  const pids = children.trim().split(' ').filter(Boolean);
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, at) => commands[at]?.includes('bundle-process.ts')).map(Number);
}

describe('a bundle', () => {
  const folders: string[] = [];
  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  /** A program of its own, and a folder to keep its bundle in. */
  async function program() {
    const root = await mkdtemp(join(tmpdir(), 'web-bundle-'));
    folders.push(root);
    await mkdir(join(root, 'web'));
    await symlink(packages, join(root, 'node_modules'));
    const write = (name: string, text: string) => writeFile(join(root, name), text);
    await write('package.json', '{}');
    await write('web/style.css', 'h1 { color: red; }');
    await write('web/later.ts', 'export const later = "later";');
    await write('web/shared.ts', 'export const shared = "shared";');
    await write(
      'web/page.tsx',
      "import './style.css'; import { shared } from './shared.ts'; import('./later.ts'); document.body.append(shared);",
    );
    await write(
      'web/other.ts',
      "import { shared } from './shared.ts'; import('./later.ts'); console.log(shared);",
    );
    const keptIn = join(root, 'kept');
    const options = { root, applications: [['web/page.tsx', 'web/other.ts']], sources: ['web'], keptIn };
    return { root, write, keptIn, options, load: () => loadBundle(options) };
  }

  it('says what a page has to load, and has each file in all codings', async () => {
    const { load } = await program();
    const { files, entries } = await load();
    const page = entries.get('page');
    assert.match(page?.script ?? '', /^page-\w{8}\.js$/);
    assert.match(page?.styles.join() ?? '', /^page-\w{8}\.css$/);
    // What both import is a file of its own; what is loaded later is none of these.
    assert.equal(page?.imports.length, 1);
    assert.deepEqual(page?.imports, entries.get('other')?.imports);
    assert.match(page?.later.join() ?? '', /^later-\w{8}\.js$/);
    assert.equal(files.size, 5);
    for (const [name, { plain, gzip, brotli, mediaType }] of files) {
      assert.ok(Buffer.isBuffer(plain) && plain.length > 0, name);
      assert.deepEqual([gunzipSync(gzip), brotliDecompressSync(brotli)], [plain, plain]);
      assert.match(mediaType, name.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
    }
  });

  it('has no file for two applications', async () => {
    const { options } = await program();
    const { entries } = await loadBundle({ ...options, applications: [['web/page.tsx'], ['web/other.ts']] });
    assert.deepEqual(
      [...entries.values()].map(({ imports, later }) => [imports.length, later.length]),
      [
        [0, 1],
        [0, 1],
      ],
    );
  });

  it('has WebAssembly next to the script that imports it, and scripts that know their own address', async () => {
    const { load, write } = await program();
    await write('web/add.wasm', '\0asm, as far as the bundler looks');
    await write(
      'web/add.worker.ts',
      "import file from './add.wasm'; export const address = import.meta.url + file;",
    );
    await write('web/page.tsx', "import('./add.worker.ts').then(({ address }) => new Worker(address));");
    const { files, entries } = await load();
    const [wasm = ''] = [...files.keys()].filter((name) => name.endsWith('.wasm'));
    assert.match(wasm, /^add-\w{8}\.wasm$/);
    assert.equal(files.get(wasm)?.mediaType, 'application/wasm');
    const [worker = ''] = [...files.keys()].filter((name) => name.startsWith('add.worker-'));
    assert.match(worker, /^add\.worker-\w{8}\.js$/);
    assert.ok(files.get(worker)?.plain.includes(`./${wasm}`), 'the name is next to the script');
    assert.ok(files.get(worker)?.plain.includes('import.meta.url'));
    assert.deepEqual(entries.get('page')?.imports, []);
    assert.ok([worker, wasm].every((name) => entries.get('page')?.later.includes(name)));
  });

  it('is kept, and made anew when a source has changed, or what was kept cannot be read', async () => {
    const { load, write, keptIn } = await program();
    const first = await load();
    const [name = ''] = await readdir(keptIn);
    const { mtimeMs, mode } = await stat(join(keptIn, name));
    assert.equal(mode & 0o777, 0o600);
    assert.deepEqual(await load(), first);
    assert.equal((await stat(join(keptIn, name))).mtimeMs, mtimeMs);
    await write('web/shared.ts', 'export const shared = "changed";');
    const second = await load();
    assert.notDeepEqual([...second.files.keys()], [...first.files.keys()]);
    const [next = '', ...others] = await readdir(keptIn);
    assert.deepEqual([next === name, others], [false, []]);
    await writeFile(join(keptIn, next), 'half a fi');
    assert.deepEqual(await load(), second);
    assert.deepEqual(await load(), second);
  });

  it('comes with the program, where other accounts may read it, until a source has changed', async () => {
    const { root, options, write, keptIn } = await program();
    const shippedIn = join(root, 'dist/web');
    await shipBundle({ ...options, shippedIn });
    const [name = '', ...others] = await readdir(shippedIn);
    assert.deepEqual(others, []);
    const umask = process.umask();
    assert.equal((await stat(join(shippedIn, name))).mode & 0o777, 0o644 & ~umask);
    const bundle = await loadBundle({ ...options, shippedIn });
    assert.equal(bundle.files.size, 5);
    await assert.rejects(readdir(keptIn), 'a bundle was made although one came along');
    await write('web/shared.ts', 'export const shared = "changed";');
    assert.notDeepEqual(await loadBundle({ ...options, shippedIn }), bundle);
    assert.deepEqual([await readdir(shippedIn), (await readdir(keptIn)).length], [[name], 1]);
  });

  it('is the same for all who make it at once, in several processes too', async () => {
    const { options, load, keptIn } = await program();
    const script = `
      import { loadBundle } from ${JSON.stringify(import.meta.resolve('./bundle.ts'))};
      console.log(JSON.stringify([...(await loadBundle(${JSON.stringify(options)})).files.keys()]));`;
    const inOther = () => run(process.execPath, ['--input-type=module', '-e', script]);
    const [one, other, ...names] = await Promise.all([load(), load(), inOther(), inOther()]);
    assert.deepEqual(other, one);
    for (const { stdout } of names) assert.deepEqual(JSON.parse(stdout), [...one.files.keys()]);
    assert.equal((await readdir(keptIn)).length, 1);
  });

  it('is made in a process that ends, and anew where that was killed midway', async () => {
    const { root, load, write, keptIn } = await program();
    // The bundler waits for input.
    const unwritten = join(root, 'web/shared.ts');
    await rm(unwritten);
    await run('mkfifo', [unwritten]);
    await until('none is left of those before', async () => (await bundlers()).length === 0);
    const lost = load();
    await until('a process makes it', async () => (await bundlers()).length === 1);
    for (const pid of await bundlers()) process.kill(pid, 'SIGKILL');
    await assert.rejects(lost, /ended: SIGKILL/);
    assert.deepEqual(await readdir(root), ['node_modules', 'package.json', 'web']);
    await rm(unwritten);
    await write('web/shared.ts', 'export const shared = "shared";');
    assert.equal((await load()).files.size, 5);
    assert.equal((await readdir(keptIn)).length, 1);
    await until('it has ended', async () => (await bundlers()).length === 0);
  });

  it('is made where nothing can be kept, of a program that cannot be written to', async () => {
    const { root, load, write } = await program();
    await write('kept', 'a file in the place of the folder');
    await chmod(root, 0o500);
    try {
      assert.equal((await load()).files.size, 5);
    } finally {
      await chmod(root, 0o700);
    }
  });

  it('is refused with what is wrong with the sources', async () => {
    const { load, write } = await program();
    await write('web/shared.ts', 'export const shared = ');
    await assert.rejects(load(), /shared\.ts/);
    await write('web/shared.ts', 'export const shared = "mended";');
    assert.equal((await load()).files.size, 5);
  });
});
