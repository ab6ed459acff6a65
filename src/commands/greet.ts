import { existsSync } from 'node:fs';
import type { RunningApp } from '../app.ts';
import type { Config } from '../config.ts';
import { firstRunFile } from '../first-run.ts';

/** Says on the standard output what runs, and where: at that address, or nowhere when it is empty. */
export function greet(
  { firstRun, app }: RunningApp,
  { publicUrl, dataDir }: Config,
  url: string,
  more: readonly string[] = [],
): void {
  const lines =
    url === ''
      ? ['Punchcard does the background work']
      : [`Punchcard serves ${url}`, ...more, `  API reference   ${publicUrl}/docs`];
  const file = firstRunFile(dataDir);
  // What is no terminal may be a file or a journal: others read it, and it is kept.
  if (firstRun !== null && process.stdout.isTTY) {
    lines.push(
      `  API key         ${firstRun.apiKey}`,
      `  operator token  ${firstRun.operatorToken}`,
      `  Both are shown this once and kept in ${file}`,
    );
  } else if (existsSync(file)) {
    lines.push(`  API key and operator token of the first start are in ${file}`);
  }
  if (app.apple.development) {
    lines.push('  Passes are signed with a development certificate: phones refuse them (punchcard doctor)');
  }
  console.log(lines.join('\n'));
}
