import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** One line of a Dockerfile, continued lines joined, flags such as `--from=` still in it. */
interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** What stands between a FROM and the next one. */
export interface Stage {
  readonly base: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile, in order. */
export function stagesOf(dockerfile: string): Stage[] {
  const lines = dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { base: string; name: string | null; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    const [, base = '', name = null] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
    if (word === 'FROM') stages.push({ base, name, instructions: [] });
    else stages.at(-1)?.instructions.push({ word, rest });
  }
  return stages;
}

/** The rests of a stage's lines that begin with the word. */
export function linesOf(stage: Stage, word: string): string[] {
  return stage.instructions.filter((line) => line.word === word).map((line) => line.rest);
}

/** The command of a line's exec form: no shell takes part in it. Raises for any other form. */
export function execForm(line: string | undefined): string[] {
  const [list = ''] = /\[.*\]$/.exec(line ?? '') ?? [];
  const words: unknown = JSON.parse(list);
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new Error(`${line} is not of the exec form`);
}

/** The variables that the image sets; `$PATH` in one stays as it is. */
export function environmentOf(stage: Stage): Record<string, string> {
  const pairs = linesOf(stage, 'ENV').flatMap((line) => line.split(' '));
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

/** Returns whether a .dockerignore lets a path into the build: the last pattern that fits it or a parent decides. */
export function buildContext(dockerignore: string): (path: string) => boolean {
  const patterns = dockerignore
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ lets: line.startsWith('!'), fits: globPattern(line.replace(/^!/, '')) }));
  return (path) => patterns.findLast(({ fits }) => fits.test(path))?.lets ?? true;
}

function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}(?:/.*)?$`);
}

/** Copies what a stage's COPY lines do, except from other stages, into the folder that represents its WORKDIR. */
export function copyInto(folder: string, stage: Stage, root: string, dockerignore: string): void {
  const isIn = buildContext(dockerignore);
  for (const line of linesOf(stage, 'COPY')) {
    if (line.startsWith('--from=')) continue;
    const words = line.split(' ');
    const target = words.pop() ?? '';
    for (const source of words) {
      const files = filesIn(root, source).filter(isIn);
      if (files.length === 0) throw new Error(`COPY finds no ${source}`);
      for (const file of files) {
        // A folder's content is copied, a file keeps its name.
        const inside = file === source ? basename(source) : file.slice(source.length + 1);
        const to = join(folder, target, inside);
        mkdirSync(dirname(to), { recursive: true });
        cpSync(join(root, file), to);
      }
    }
  }
}

function filesIn(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}
