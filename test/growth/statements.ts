import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'node:v8';

/** A statement as a process has sent it. */
export interface CapturedStatement {
  readonly text: string;
  /** `file#function`, innermost first. */
  readonly callers: readonly string[];
  /** What `serialize` of node:v8 makes of the values, as base64. */
  readonly values: string;
}

/** A statement of the program, once for each function that sends it, with some of the values that it was sent with. */
export interface Statement {
  readonly text: string;
  /** `file#function` of the file that holds the statement, as far as its functions call each other; innermost first. */
  readonly callers: readonly string[];
  readonly examples: readonly (readonly unknown[])[];
}

const mostExamples = 6;

/** Everything that was captured in a folder. */
export function readCaptured(folder: string): CapturedStatement[] {
  return globSync('*.jsonl', { cwd: folder }).flatMap((path) =>
    readFileSync(join(folder, path), 'utf8')
      .split('\n')
      // The last line of a process that was killed may be cut short.
      .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : [])),
  );
}

/** The statements among them that can be explained, each once. */
export function statementsOf(captured: readonly CapturedStatement[]): Statement[] {
  const found = new Map<string, { text: string; callers: string[]; examples: unknown[][] }>();
  for (const { text, callers, values } of captured) {
    if (!/^[\s(]*(select|insert|update|delete|with)\b/i.test(text)) continue;
    // Of a table that a test has made.
    if (/\btest_\w+/.test(text)) continue;
    const key = `${callers[0]} ${shapeOfText(text)}`;
    const example = () => deserialize(Buffer.from(values, 'base64'));
    const known = found.get(key);
    if (known === undefined) found.set(key, { text, callers: [...callers], examples: [example()] });
    else {
      known.callers.push(...callers.filter((caller) => !known.callers.includes(caller)));
      // Of another number of rows the values would not fit.
      if (known.text === text && known.examples.length < mostExamples) known.examples.push(example());
    }
  }
  return [...found.values()];
}

/** A list of three rows or values is the same statement as one of two. */
export function shapeOfText(text: string): string {
  return text
    .replace(/\$\d+/g, '$')
    .replace(/(\([^()]*\$[^()]*\))(?:, \1)+/g, '$1…')
    .replace(/\$(?:, \$)+/g, '$…');
}
