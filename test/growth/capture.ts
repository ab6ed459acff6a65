import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely';
import { Session } from '../../src/kit/db/session.ts';
import { type Sql, sql } from '../../src/kit/db/sql.ts';
import type { Result } from '../../src/kit/db/statement.ts';
import { type CapturedStatement, shapeOfText } from './statements.ts';

/*
 * Loaded before a program (`node --import`), it writes down every statement that the program sends, with the functions
 * of src/ that send it and with real parameters, into a file of each process in the folder of
 * PUNCHCARD_TEST_STATEMENTS.
 */
const folder = process.env.PUNCHCARD_TEST_STATEMENTS;
const source = new URL('../../src/', import.meta.url).href;
const here = import.meta.url;
/** What sends whatever it is given. */
const senders = /\/kit\/db\/(?:database|session|sql|unit)\.ts$/;
const ofTests = /\.(test|fixture)\.ts$/;
/** How many lists of values are kept of each statement: a null or another status may make another plan. */
const mostExamples = 4;
const longestList = 200;
const seen = new Map<string, Set<string>>();
/** To ask who sends costs as much as to send: a statement with nothing new so often in a row is not asked again. */
const enough = 20;
const nothingNew = new Map<string, Map<string, number>>();

if (folder !== undefined) {
  const file = noteFile(join(folder, `${process.pid}-${Date.now()}.jsonl`));
  // A statement that is written as text knows its function when it is sent, and perhaps no longer when a session takes it.
  const written = new Set<string>();
  const ofStatements: Sql = Object.getPrototypeOf(sql``);
  const { execute: sendText } = ofStatements;
  ofStatements.execute = function noteAndExecute(this: Sql, db) {
    written.add(this.text);
    note(file, this.text, this.values);
    return sendText.call(this, db);
  };
  const { send } = Session.prototype;
  Session.prototype.send = function noteAndSend<Row>(
    this: Session,
    text: string,
    values: readonly unknown[],
    isPrepared?: boolean,
  ) {
    if (!written.has(text)) note(file, text, values);
    return send.call(this, text, values, isPrepared) as Promise<Result<Row>>;
  };
  // Where a builder of statements still knows who has asked.
  const base = Object.getPrototypeOf(DefaultQueryExecutor.prototype);
  const execute = base.executeQuery;
  base.executeQuery = function executeQuery(query: CompiledQuery, ...more: unknown[]) {
    if (!written.has(query.sql)) note(file, query.sql, query.parameters);
    return execute.call(this, query, ...more);
  };
}

/** Made with the first line: some tests run programs as accounts that may not write there, and they send nothing. */
function noteFile(path: string): (line: string) => void {
  let file: number | undefined;
  return (line) => {
    file ??= openSync(path, 'a');
    // At once: tests kill processes.
    writeSync(file, line);
  };
}

function note(file: (line: string) => void, text: string, parameters: readonly unknown[]): void {
  const shape = parameters.map(shapeOfValue).join();
  const timesOf = nothingNew.get(text) ?? new Map<string, number>();
  const times = timesOf.get(shape) ?? 0;
  if (times === enough) return;
  nothingNew.set(text, timesOf.set(shape, times + 1));
  const callers = callersInSource();
  if (callers.length === 0) return;
  const key = `${callers.filter((caller) => caller.includes('.sql.ts#')).join()} ${shapeOfText(text)}`;
  const shapes = seen.get(key) ?? new Set();
  seen.set(key, shapes);
  if (shapes.size === mostExamples || shapes.has(shape)) return;
  shapes.add(shape);
  timesOf.set(shape, 0);
  const values = serialize(parameters.map(shortened)).toString('base64');
  file(`${JSON.stringify({ text, callers, values } satisfies CapturedStatement)}\n`);
}

/** The functions of src/ that are under way, as `file#name`; of code that a test brings itself, none. */
function callersInSource(): string[] {
  const frames = stackOf(callersInSource).flatMap((site) => {
    const path = site.getFileName() ?? '';
    return path.startsWith('file://') && path !== here && !path.includes('/node_modules/')
      ? [{ path, name: site.getFunctionName()?.replace(/^.*[. ]/, '') ?? '' }]
      : [];
  });
  if (ofTests.test(frames[0]?.path ?? '')) return [];
  return frames.flatMap(({ path, name }) =>
    name !== '' && path.startsWith(source) && !ofTests.test(path) && !senders.test(path)
      ? [`${path.slice(source.length)}#${name}`]
      : [],
  );
}

/** The calls themselves: to write a stack as text costs more than most statements. */
function stackOf(caller: () => unknown): NodeJS.CallSite[] {
  const holder: { stack?: NodeJS.CallSite[] } = {};
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 60;
  Error.prepareStackTrace = (_, sites) => sites;
  Error.captureStackTrace(holder, caller);
  const { stack = [] } = holder;
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return stack;
}

function shapeOfValue(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && /^[a-z_]{2,20}$/i.test(value)) return value;
  return Array.isArray(value) ? `[${value.length > 0 ? shapeOfValue(value[0]) : ''}]` : typeof value;
}

function shortened(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, longestList) : value;
}
