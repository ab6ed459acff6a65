import { stripVTControlCharacters, styleText } from 'node:util';

const levels: Readonly<Record<number, readonly [name: string, color: 'gray' | 'green' | 'yellow' | 'red']>> =
  {
    10: ['trace', 'gray'],
    20: ['debug', 'gray'],
    30: ['info', 'green'],
    40: ['warn', 'yellow'],
    50: ['error', 'red'],
  };

/**
 * A line of the log for people: time, level, message, what a request was and became, and the rest as it is; below it the
 * stack of an error. In colour where the standard output is a terminal.
 */
export function readableLine(json: string): string {
  const { level, time, msg, pid: _pid, hostname: _host, ...facts } = JSON.parse(json);
  const { method, route, status, ms, op, requestId, err, ...others } = facts;
  const [name, color] = levels[level] ?? [String(level), 'gray'];
  const request = [method, route, status, ms === undefined ? null : `${ms} ms`, op, requestId];
  const rest = Object.entries(others).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const words = [msg, ...request, ...rest].filter((word) => word != null);
  const at = styleText('gray', new Date(time).toISOString().slice(11, 23));
  const line = `${at} ${styleText(color, name.padEnd(5))} ${plain(words.join(' '))}\n`;
  if (err === undefined) return line;
  const { stack, type, message } = err;
  return `${line}${plain(stack ?? `${type}: ${message}`).replaceAll(/^/gm, '    ')}\n`;
}

/** What comes from outside must not steer the terminal. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n]/gu, ' ');
}
