import type { KeyCtx, OperatorCtx } from '../context.ts';
import { byWorkspace } from '../engine/by-workspace.ts';
import type { Database } from '../kit/db/database.ts';
import { isHeldUp, isTransient } from '../kit/db/database-errors.ts';
import type { AnswerFacts } from '../kit/http/server/answer-facts.ts';
import { decodeId, firstId, newUuidV7 } from '../kit/ids.ts';
import type { NamedGauge } from '../kit/telemetry/metrics.ts';
import { insertRequests, type RequestRow } from './request-log.sql.ts';
import { type LoggedCaller, whatIsKept } from './what-is-kept.ts';

/** Keeps the outcomes of requests, without holding any of them up. */
export interface RequestLog {
  /** Notes a request that is over. It never waits and never fails. */
  note(facts: AnswerFacts): void;
  /** Writes what waits, and ends. */
  close(): Promise<void>;
  readonly gauges: readonly NamedGauge[];
}

interface Options {
  readonly database: Pick<Database, 'transaction'>;
  now(): Date;
  readonly log: { warn(fields: object, message: string): void };
  /** Operations that see to health, each second: only their failures are kept. */
  readonly probes: ReadonlySet<string>;
}

/** What waits for the database; beyond it the newest are dropped. About 5 MB. */
const mostWaiting = 10_000;
const everyMs = 250;
/** After a failure. */
const restMs = 1_000;
const rowsPerWrite = 1_000;
/** What a closing process waits for in all. */
const closingMs = 3_000;

type Dropped = 'full' | 'flood' | 'unwritten';

/** A log of the requests of this process. */
export function createRequestLog({ database, now, log, probes }: Options): RequestLog {
  let waiting: RequestRow[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<boolean> | null = null;
  const dropped: Record<Dropped, number> = { full: 0, flood: 0, unwritten: 0 };
  let kept = 0;
  const isKept = whatIsKept(() => performance.now());

  function note(facts: AnswerFacts): void {
    if (facts.op !== null && facts.status < 400 && probes.has(facts.op)) return;
    const caller = callerOf(facts);
    const verdict = isKept(facts, caller);
    if (verdict !== 'keep') {
      if (verdict === 'flood') dropped.flood += 1;
      return;
    }
    if (waiting.length >= mostWaiting) {
      dropped.full += 1;
      return;
    }
    waiting.push(rowOf(facts, caller, now()));
    schedule(everyMs);
  }

  function schedule(ms: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      void flush();
    }, ms).unref();
  }

  /** Writes what waits now; one write at a time. False where the database did not take it. */
  function flush(): Promise<boolean> {
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  }

  async function write(): Promise<boolean> {
    while (waiting.length > 0) {
      const rows = waiting.splice(0, rowsPerWrite);
      try {
        await database.transaction((tx) =>
          Promise.all(byWorkspace(rows).map(([workspaceId, its]) => insertRequests(tx, workspaceId, its))),
        );
        kept += rows.length;
      } catch (error) {
        putBack(rows, error);
        schedule(restMs);
        return false;
      }
      if (waiting.length < rowsPerWrite) break;
    }
    return true;
  }

  /** What a database could not take that was away is tried again, for as long as there is room. */
  function putBack(rows: readonly RequestRow[], error: unknown): void {
    const isAway = isTransient(error) || isHeldUp(error);
    const toRetry = isAway ? rows.slice(0, mostWaiting - waiting.length) : [];
    dropped.unwritten += rows.length - toRetry.length;
    waiting = [...toRetry, ...waiting];
    if (!isAway) log.warn({ err: error, requests: rows.length }, 'requests could not be logged');
  }

  return {
    note,
    async close() {
      const until = performance.now() + closingMs;
      while (waiting.length > 0 || writing !== null) {
        const isWritten = await flush();
        if (!isWritten || performance.now() > until) break;
      }
      if (timer !== null) clearTimeout(timer);
      if (waiting.length > 0)
        log.warn({ requests: waiting.length }, 'requests were not logged before the end');
    },
    gauges: [
      {
        name: 'request_log_dropped',
        help: 'Requests that the request log has lost, since the start: no room, a flood of refusals, the database away',
        label: 'why',
        together: 'sum',
        read: async () => ({ ...dropped }),
      },
      {
        name: 'request_log_rows',
        help: 'Requests that wait for the request log, and that it has written since the start',
        label: 'state',
        together: 'sum',
        read: async () => ({ waiting: waiting.length, written: kept }),
      },
    ],
  };
}

function callerOf({ ctx, knownAs }: AnswerFacts): LoggedCaller {
  const admitted = ctx as Partial<KeyCtx & OperatorCtx> | undefined;
  if (admitted?.workspaceId !== undefined) return admitted as KeyCtx;
  if (admitted?.operator === true) return operator;
  return (knownAs as LoggedCaller | undefined) ?? unknownCaller;
}

const unknownCaller: LoggedCaller = { workspaceId: null, actor: null };
const operator: LoggedCaller = { workspaceId: null, actor: 'operator' };

function rowOf(facts: AnswerFacts, { workspaceId, actor }: LoggedCaller, now: Date): RequestRow {
  const { requestId, method, op, status, code, ms, params, body } = facts;
  const named = (name: 'passId' | 'instanceId', prefix: string) => {
    const id = textOf(params, name) ?? textOf(body, name);
    return id === null ? null : decodeId(prefix, id);
  };
  return {
    workspaceId: workspaceId ?? firstId,
    logId: newUuidV7(),
    requestId,
    method: method === '' ? null : method,
    path: facts.path === null ? null : pathOf(facts.path, params),
    op,
    status,
    code,
    message: facts.message === null ? null : withoutPersons(facts.message, code),
    actor,
    passId: named('passId', 'pass'),
    instanceId: named('instanceId', 'inst') ?? onlyCardOf(facts.answer),
    ms: Math.round(ms * 10) / 10,
    createdAt: new Date(now.getTime() - ms),
  };
}

function textOf(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const text = (value as Record<string, unknown>)[name];
  return typeof text === 'string' ? text : null;
}

/** The path of a route with the ids that were sent; links, barcodes and names of persons stay out of it. */
function pathOf(path: string, params: unknown): string {
  if (!path.includes('{')) return path;
  return path.replaceAll(/\{(\w+Id)\}/g, (place, name: string) => {
    const id = textOf(params, name);
    return id !== null && isPlainId.test(id) ? id : place;
  });
}

/** An id of ours, or an order's number: what is longer may be a secret that was put there by mistake. */
const isPlainId = /^(?:[a-z]{2,5}_[0-9a-z]{26}|[\w.-]{1,24})$/;

/** The card that an answer names, where it names one only. */
function onlyCardOf(answer: unknown): string | null {
  if (typeof answer !== 'string') {
    const id = textOf(answer, 'instanceId');
    return id === null ? null : decodeId('inst', id);
  }
  if (answer.length > longestAnswer) return null;
  const at = answer.indexOf(cardMark);
  if (at === -1 || answer.includes(cardMark, at + 1)) return null;
  const from = at + cardMark.length;
  return decodeId('inst', answer.slice(from, answer.indexOf('"', from)));
}

const cardMark = '"instanceId":"';
const longestAnswer = 16_384;

/** Codes whose messages repeat what was said of a person or a card. */
const quoting: ReadonlySet<string | null> = new Set([
  'ambiguous_barcode',
  'ambiguous_holder',
  'barcode_not_found',
  'barcode_taken',
  'holder_has_active_instance',
  'holder_not_found',
  'instance_not_found',
  'unknown_field_key',
]);

function withoutPersons(message: string, code: string | null): string {
  const plain = quoting.has(code) ? message.replaceAll(/"(?!inst_)[^"]*"/g, '"…"') : message;
  return plain.replaceAll(/[^\s"<>]+@[^\s"<>]+/g, '…').slice(0, longestMessage);
}

const longestMessage = 500;
