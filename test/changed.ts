import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { testsOfChange } from './changed-files.ts';
import { runNode } from './run-node.ts';
import { filesOf } from './tiers.ts';

/**
 * Runs those tests of the usual tier that concern what was changed: on this branch since it left main, and what is not
 * committed. An argument names another commit to compare with. `--list` prints the tests instead.
 */
const arguments_ = process.argv.slice(2);
const [given = 'main'] = arguments_.filter((argument) => argument !== '--list');
const changed = [
  ...linesOf('diff', '--name-only', '--no-renames', commonCommit(given)),
  ...linesOf('ls-files', '--others', '--exclude-standard'),
];
const files = testsOfChange(filesOf('usual'), changed);

console.log(`${changed.length} files changed, ${files.length} test files concern them.`);
if (arguments_.includes('--list')) console.log(files.join('\n'));
else if (files.length > 0)
  process.exitCode = await runNode([fileURLToPath(new URL('run.ts', import.meta.url)), ...files]);

/** Where this branch left the other one; where there is no such branch, as in a copy of one commit, the last commit. */
function commonCommit(other: string): string {
  try {
    return linesOf('merge-base', other, 'HEAD')[0] ?? 'HEAD';
  } catch {
    if (arguments_.includes(other)) throw new Error(`There is no commit "${other}".`);
    return 'HEAD';
  }
}

function linesOf(...command: string[]): string[] {
  const said = execFileSync('git', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return said.split('\n').filter((line) => line !== '');
}
