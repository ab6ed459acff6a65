import type { Sources } from './architecture-rules.ts';
import { codeOf, lineOf, uncommented } from './source-text.ts';

/** Where the days of a time zone are made. */
const calendar = 'src/kit/time.ts';

/** What lets a database decide by its own time zones, or by that of the session. Moments may be written in UTC. */
const inSql = [
  /\bat\s+time\s+zone\b/gi,
  /\b(?:timezone|make_timestamptz)\s*\(/gi,
  /\bset\s+(?:(?:local|session)\s+)?time\s*zone\b(?!\s*(?:=|to)\s*'UTC')/gi,
  /\bset_config\(\s*'timezone'/gi,
  /\bpg_timezone_\w+/gi,
  /\b(?:current_date|current_time|localtime|localtimestamp)\b/gi,
  /'(?:today|tomorrow|yesterday)'/g,
  // Cuts by the zone of the session, unless what it cuts has none.
  /\bdate_trunc\s*\((?!\s*'(?:micro|milli)?seconds?')(?![^)]*::timestamp\b)/gi,
  /\bdate_(?:add|subtract)\s*\(/gi,
  /\bgenerate_series\s*\((?:(?:[^(),]|\([^()]*\))*,){3}/gi,
  /\binterval\s*'[^']*\b(?:day|week|mon|month|year)s?\b/gi,
  /\bmake_interval\s*\(/gi,
  /(?:_at|\bat|\bmoment|\bnow\(\)|::timestamptz)::date\b/gi,
];

/** Calls that let Node decide, other than the one function, or by the zone of its own process. */
const inCode = [
  /\.(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes)\(/g,
  /\.toLocale(?:Date|Time)String\(/g,
  /\.getTimezoneOffset\(/g,
];
/** A format that is asked only for the name of its zone reads no time. */
const zoneOfFormat = /\btimeZone:(?!\s*'UTC')(?![^;]*\.resolvedOptions\()/g;

/** Days are made in one place: no statement names a time zone, and no other file reads the time of one. */
export function daysAreMadeInOnePlace(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const isProgram = /^src\/.*\.ts$/.test(path) && !/\.(?:test|fixture)\.ts$/.test(path);
    const isSchema = /^db\/.*\.sql$/.test(path);
    if (path === calendar || !(isProgram || isSchema)) return [];
    const said = isSchema
      ? text.replaceAll(/--.*/g, (comment) => ' '.repeat(comment.length))
      : uncommented(text);
    const linesOf = (searched: string, patterns: readonly RegExp[]) =>
      patterns.flatMap((pattern) => [...searched.matchAll(pattern)].map(({ index }) => lineOf(text, index)));
    return [
      ...linesOf(said, inSql).map(
        (line) =>
          `${path}:${line} lets the database say when a day begins, whose time zones are not ours: hand it the moments, by dayStart, dayEnd or dayOf of ${calendar}`,
      ),
      ...(isProgram ? [...linesOf(codeOf(text), inCode), ...linesOf(said, [zoneOfFormat])] : []).map(
        (line) => `${path}:${line} reads the time of a zone: ask dayStart, dayEnd or dayOf of ${calendar}`,
      ),
    ];
  });
}
