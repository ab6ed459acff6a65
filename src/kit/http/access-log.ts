import type { AnswerFacts } from './exchange.ts';

/** What the server writes its log to; pino fits. */
export interface HttpLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * One line per answer. The path is the route's pattern: the URL as sent may hold tokens. `more` are fields that
 * the application knows about the caller. A probe that succeeds is a line for whoever looks closely: it comes each second.
 */
export function logAnswer(
  log: HttpLog,
  facts: AnswerFacts,
  { isProbe, more }: { readonly isProbe: boolean; readonly more: Record<string, unknown> | undefined },
): void {
  const { requestId, op, method, path, status, code, ms } = facts;
  const level = isProbe && status < 400 ? 'debug' : 'info';
  log[level](
    { requestId, op, method, route: path, status, code, ms: Math.round(ms * 10) / 10, ...more },
    'answered',
  );
}
