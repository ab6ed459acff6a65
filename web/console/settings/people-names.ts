import type { ApiKey } from '../../../sdk/typescript/src/types.ts';
import { namesKeptMs, useCached } from '../../shared/cached.ts';
import { records } from '../../texts/records.ts';
import { api } from '../api.ts';

/** The names of the people of the workspace by their ids, for people who may read; empty until they are there. */
export function usePeople(): Readonly<Record<string, string>> {
  const people = useCached(
    ['people', 'names'],
    (options) => api.people.list({ limit: 100 }, options).toArray(),
    { keptMs: namesKeptMs },
  );
  return Object.fromEntries(people.value?.map(({ personId, name }) => [personId, name]) ?? []);
}

/** The name of a person by their id, as far as they are in the workspace. */
export function usePeopleNames(): (personId: string) => string | undefined {
  const people = usePeople();
  return (id) => people[id];
}

/** The keys of the workspace; empty until they are there. */
export function useKeys(): readonly ApiKey[] {
  const keys = useCached(
    ['apiKeys', 'names'],
    (options) => api.apiKeys.list({ limit: 100 }, options).toArray({ most: 200 }),
    { keptMs: namesKeptMs },
  );
  return keys.value ?? [];
}

/** What to call who did something: a person by name, others by what they are, and by their id where that says more. */
export function useNames(): (actor: string) => string {
  const nameOf = usePeopleNames();
  const keys = useKeys();
  const { actors } = records().audit;
  return (actor) => {
    const person = nameOf(actor);
    if (person !== undefined) return person;
    const key = keys.find(({ keyId }) => keyId === actor);
    if (key !== undefined) return `${actors.key} ${key.name}`;
    if (actor.startsWith('store_')) return actors.store;
    return (actors as Readonly<Record<string, string | undefined>>)[actor] ?? actor;
  };
}
