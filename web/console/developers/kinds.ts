import { eventTypes } from '../../../sdk/typescript/src/event-types.ts';

/** Kinds of events by what they begin with, as choices. */
export function kindGroups(allOf?: (group: string) => string): Record<string, Record<string, string>> {
  const groups: Record<string, Record<string, string>> = {};
  for (const type of eventTypes) {
    const group = type.slice(0, type.indexOf('.'));
    groups[group] ??= allOf === undefined ? {} : { [`${group}.*`]: allOf(group) };
    (groups[group] ?? {})[type] = type;
  }
  return groups;
}
