import type { SeededBug } from './bugs.ts';

/** The file's text with the bug in it. Raises when the text that it replaces is not there exactly once. */
export function plant(text: string, bug: SeededBug): string {
  const [before, after, ...more] = text.split(bug.replace);
  if (bug.replace === '' || before === undefined || after === undefined)
    throw new Error(`${bug.file} does not say: ${bug.replace}`);
  if (more.length > 0) throw new Error(`${bug.file} says it ${more.length + 1} times: ${bug.replace}`);
  return before + bug.by + after;
}

/** The mistakes of the list itself, one line each. `read` gives the text of a file, '' for one that is missing. */
export function unplantable(bugs: readonly SeededBug[], read: (path: string) => string): string[] {
  return bugs.flatMap((bug, at) => {
    const name = `${bug.suite}: ${bug.bug}`;
    const missing = bug.command.filter((word) => /\.ts$/.test(word) && read(word) === '');
    return [
      ...faultOfPlace(bug, read(bug.file)),
      ...missing.map((path) => `its command names ${path}, which does not exist`),
      ...(bug.by === bug.replace ? ['it changes nothing'] : []),
      ...(bug.fails === '' ? ['it names no test that must fail'] : []),
      ...(bugs.findIndex((other) => other.bug === bug.bug) < at ? ['another bug has the same name'] : []),
    ].map((fault) => `${name} ${fault}`);
  });
}

function faultOfPlace(bug: SeededBug, text: string): string[] {
  try {
    plant(text, bug);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
