import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { type SeededBug, seededBugs } from './bugs.ts';
import { plant } from './plant.ts';

/**
 * Plants each bug of the list in a copy of the project, runs its command there, and demands that the test that it
 * names fails. Arguments are suites, or parts of the bugs' sentences; all bugs without any. Exit code 1 when one
 * goes unnoticed.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Longest time for one command. */
const mostMs = 20 * 60_000;
/** Lines of a command's output that are shown when it noticed nothing. */
const shownLines = 40;

interface Outcome {
  readonly bug: SeededBug;
  /** The test that failed as it should; else null. */
  readonly noticedBy: string | null;
  /** What happened instead. */
  readonly instead: string;
  readonly seconds: number;
}

const wanted = process.argv.slice(2);
const isMeant = (bug: SeededBug, word: string) => bug.suite === word || bug.bug.includes(word);
const unknown = wanted.filter((word) => !seededBugs.some((bug) => isMeant(bug, word)));
if (unknown.length > 0) {
  const suites = [...new Set(seededBugs.map((bug) => bug.suite))];
  console.error(`There is no seeded bug "${unknown.join('", "')}". The suites are: ${suites.join(', ')}.`);
  process.exit(2);
}

/** The command that runs now, and whether a signal has asked for the end. */
const now: { kill: (signal: NodeJS.Signals) => void; isOver: boolean } = { kill: () => {}, isOver: false };
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    now.isOver = true;
    now.kill(signal);
  });

const outcomes: Outcome[] = [];
for (const bug of seededBugs) {
  if (now.isOver) break;
  if (wanted.length > 0 && !wanted.some((word) => isMeant(bug, word))) continue;
  console.log(`… ${bug.suite}: ${bug.bug}`);
  outcomes.push(await tryOut(bug));
}
report(outcomes);

async function tryOut(bug: SeededBug): Promise<Outcome> {
  const copy = await mkdtemp(join(tmpdir(), 'punchcard-seeded-'));
  const startedAt = performance.now();
  try {
    copyProject(copy);
    const file = join(copy, bug.file);
    writeFileSync(file, plant(readFileSync(file, 'utf8'), bug));
    const { code, said } = await runIn(copy, bug.command);
    const failed = failedTests(said);
    const noticedBy = code === 0 ? undefined : failed.find((name) => name.includes(bug.fails));
    if (noticedBy === undefined)
      console.log(said.trimEnd().split('\n').slice(-shownLines).join('\n').replace(/^/gm, '    '));
    return {
      bug,
      noticedBy: noticedBy ?? null,
      instead: code === 0 ? 'everything passed' : `failed elsewhere: ${failed[0] ?? 'no test is named'}`,
      seconds: (performance.now() - startedAt) / 1_000,
    };
  } catch (error) {
    return { bug, noticedBy: null, instead: (error as Error).message, seconds: 0 };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** What git knows or would take up, as it stands now; the packages are shared. */
function copyProject(copy: string): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  // Packages that are a link already, as in such a copy, are no folder that git ignores.
  for (const path of listed.split('\0').filter((name) => !['', 'node_modules'].includes(name))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    try {
      copyFileSync(join(root, path), join(copy, path));
    } catch (error) {
      // Deleted, and not yet committed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

async function runIn(cwd: string, command: readonly string[]): Promise<{ code: number; said: string }> {
  const [program = '', ...options] = command;
  const { NODE_TEST_CONTEXT, ...environment } = process.env;
  const child = spawn(program, options, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, FORCE_COLOR: '0', NO_COLOR: '1' },
  });
  now.kill = (signal) => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch {
      // It has ended by itself.
    }
  };
  const late = setTimeout(() => now.kill('SIGKILL'), mostMs);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve(exit ?? 1));
  });
  clearTimeout(late);
  return { code, said: stripVTControlCharacters(said) };
}

/** The names behind the marks that Node's test runner, TAP and the suites' own summaries put before a failure. */
function failedTests(said: string): string[] {
  const lines = said.matchAll(/^\s*(?:✖|✗|not ok \d+ -)\s+(.*?)(?: \([\d.]+ms\))?$/gm);
  return [...lines].map(([, name = '']) => name).filter((name) => name !== 'failing tests:');
}

function report(list: readonly Outcome[]): void {
  const missed = list.filter((outcome) => outcome.noticedBy === null);
  const rows = [
    ['', 'suite', 'bug', 'noticed by', 'seconds'],
    ...list.map(({ bug, noticedBy, instead, seconds }) => [
      noticedBy === null ? '✗' : '✓',
      bug.suite,
      bug.bug,
      noticedBy ?? `NOBODY (${instead})`,
      seconds.toFixed(0),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  console.log();
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  console.log(`\n${list.length - missed.length} of ${list.length} seeded bugs were noticed.`);
  if (missed.length > 0 || now.isOver) process.exitCode = 1;
}
