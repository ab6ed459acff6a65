import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely';
import { Session } from '../../src/kit/db/session.ts';
import type { Result } from '../../src/kit/db/statement.ts';
import { type CapturedStatement, shapeOfText } from './statements.ts';

/*
 * Loaded before a program (`node --import`), it writes down every statement that the program sends, with the functions
 * of src/ that send it and with real parameters, into a file of each process in the folder of
 * PUNCHCARD_TEST_STATEMENTS.
 */
const folder = process.env.PUNCHCARD_TEST_STATEMENTS;
const source = fileURLToPath(new URL('../../src/', import.meta.url));
const here = fileURLToPath(import.meta.url);
/** What sends whatever it is given. */
const senders = /\/kit\/db\/(?:database|session|sql|unit)\.ts$/;
const ofTests = /\.(test|fixture)\.ts$/;
/** How many lists of values are kept of each statement: a null or another status may make another plan. */
const mostExamples = 4;
const longestList = 200;
const seen = new Map<string, Set<string>>();

if (folder !== undefined) {
  const file = join(folder, `${process.pid}-${Date.now()}.jsonl`);
  const { send } = Session.prototype;
  Session.prototype.send = function noteAndSend<Row>(
    this: Session,
    text: string,
    values: readonly unknown[],
    isPrepared?: boolean,
  ) {
    note(file, text, values);
    return send.call(this, text, values, isPrepared) as Promise<Result<Row>>;
  };
  // Where a builder of statements still knows who has asked.
  const base = Object.getPrototypeOf(DefaultQueryExecutor.prototype);
  const execute = base.executeQuery;
  base.executeQuery = function executeQuery(query: CompiledQuery, ...more: unknown[]) {
    note(file, query.sql, query.parameters);
    return execute.call(this, query, ...more);
  };
}

function note(file: string, text: string, parameters: readonly unknown[]): void {
  const callers = callersInSource();
  if (callers.length === 0) return;
  const key = `${callers.filter((caller) => caller.includes('.sql.ts#')).join()} ${shapeOfText(text)}`;
  const shape = parameters.map(shapeOfValue).join();
  const shapes = seen.get(key) ?? new Set();
  seen.set(key, shapes);
  if (shapes.size === mostExamples || shapes.has(shape)) return;
  shapes.add(shape);
  const values = serialize(parameters.map(shortened)).toString('base64');
  appendFileSync(file, `${JSON.stringify({ text, callers, values } satisfies CapturedStatement)}\n`);
}

function callersInSource(): string[] {
  const holder: { stack?: string } = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  Error.captureStackTrace(holder, callersInSource);
  Error.stackTraceLimit = stackTraceLimit;
  const stack = holder.stack ?? '';
  const [sender = ''] = [...stack.matchAll(/file:\/\/(\S+?):\d+:\d+/g)]
    .map(([, path = '']) => path)
    .filter((path) => path !== here && !path.includes('/node_modules/'));
  // A test that brings statements of its own, by way of a function of src/.
  if (ofTests.test(sender)) return [];
  const callers = [
    ...stack.matchAll(/at (?:async )?(?:\S*\.)?(\S+)(?: \[as \S+\])? \(file:\/\/(\S+?):\d+:\d+\)/g),
  ];
  return callers.flatMap(([, name, path = '']) =>
    path.startsWith(source) && !ofTests.test(path) && !senders.test(path)
      ? [`${path.slice(source.length)}#${name}`]
      : [],
  );
}

function shapeOfValue(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && /^[a-z_]{2,20}$/i.test(value)) return value;
  return Array.isArray(value) ? `[${value.length > 0 ? shapeOfValue(value[0]) : ''}]` : typeof value;
}

function shortened(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, longestList) : value;
}
