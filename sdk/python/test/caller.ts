import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Json } from '../../../test/client.ts';
import type { ClientCall } from './counted-calls.ts';
import type { PythonWithClient } from './python.ts';

const program = fileURLToPath(new URL('make_calls.py', import.meta.url));

export type Kind = 'sync' | 'async';

/** A call, and how it is made: `options` as Python spells them; of a list the items of `all` pages, or the first page. */
export interface PythonCall extends ClientCall {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly all?: boolean;
}

/** A process that makes calls with the Python client, one after the other. */
export interface PythonCaller {
  /** The outcome of each, as `make_calls.py` says it. */
  make(...calls: PythonCall[]): Promise<Json[]>;
}

/** Starts it for a test file. */
export function startCaller(
  python: PythonWithClient,
  kind: Kind,
  baseUrl: string,
  key: string,
  operatorToken?: string,
): PythonCaller {
  const child = python.start([program, kind], {
    API_KEY: key,
    BASE_URL: baseUrl,
    ...(operatorToken !== undefined && { OPERATOR_TOKEN: operatorToken }),
  });
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += chunk));
  if (child.stdout === null) throw new Error('it has no output');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  after(async () => {
    child.stdin?.end();
    if (child.exitCode === null) await once(child, 'exit');
  });
  return {
    async make(...calls) {
      const outcomes: Json[] = [];
      for (const call of calls) {
        child.stdin?.write(`${JSON.stringify(call)}\n`);
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`${call.call} ended the process:\n${errors}`);
        outcomes.push(JSON.parse(value));
      }
      return outcomes;
    },
  };
}
