import type { AuditLine } from '../../../sdk/typescript/src/types.ts';
import { formatNumber } from '../../shared/format.ts';
import { auditTexts } from '../../texts/audit.ts';

/** Lines that say the same of many things, such as of the cards of one import, newest first. */
export interface AuditGroup {
  readonly line: AuditLine;
  readonly count: number;
}

/** Lines of one thing done many times are no further apart. */
const apartMs = 10 * 60_000;

/** Puts lines together that follow each other, are of one person or key, and say the same. */
export function groupsOf(lines: readonly AuditLine[]): AuditGroup[] {
  const groups: { line: AuditLine; count: number; last: AuditLine }[] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group !== undefined && isAlike(group.last, line)) {
      group.count += 1;
      group.last = line;
    } else groups.push({ line, count: 1, last: line });
  }
  return groups;
}

function isAlike(newer: AuditLine, older: AuditLine): boolean {
  return (
    Object.hasOwn(auditTexts().many, newer.action) &&
    newer.action === older.action &&
    newer.actor === older.actor &&
    Date.parse(newer.createdAt) - Date.parse(older.createdAt) <= apartMs
  );
}

/** What was done, as a part of a sentence that begins with who did it. */
export function sentenceOf({ line: { action, detail }, count }: AuditGroup): string {
  const t = auditTexts();
  if (count > 1) return t.many[action as keyof typeof t.many](formatNumber(count));
  const { recipients, sendAt, mailed } = detail;
  if (action === 'sendMessage' && sendAt !== undefined) return t.planned;
  if (action === 'sendMessage' && typeof recipients === 'number')
    return recipients === 1 ? t.messageToOne : t.messageTo(formatNumber(recipients));
  if (action === 'sendCards' && typeof mailed === 'number') return t.mailed(formatNumber(mailed));
  return Object.hasOwn(t.actions, action) ? t.actions[action as keyof typeof t.actions] : action;
}

/** The page of what a line is about; undefined where it has none. */
export function pageOf(target: string): string | undefined {
  const kinds: readonly (readonly [prefix: string, page: string])[] = [
    ['inst_', `/console/cards/${target}`],
    ['pass_', `/console/passes/${target}/design`],
    ['person_', '/console/settings/people'],
    ['key_', '/console/developers'],
    ['store_', `/console/stores/${target}`],
  ];
  return kinds.find(([prefix]) => target.startsWith(prefix))?.[1];
}
