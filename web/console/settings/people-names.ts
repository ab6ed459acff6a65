import type { ApiKey, Device, Person } from '../../../sdk/typescript/src/types.ts';
import { namesKeptMs, useCached } from '../../shared/cached.ts';
import { records } from '../../texts/records.ts';
import { api } from '../api.ts';

/** The people of the workspace; empty until they are there. */
export function usePeople(): readonly Person[] {
  const people = useCached(
    ['people', 'names'],
    (options) => api.people.list({ limit: 100 }, options).toArray(),
    { keptMs: namesKeptMs },
  );
  return people.value ?? [];
}

/** The names of people, by their ids, as far as they are in the workspace; for people who may read. */
export function usePeopleNames(): (personId: string) => string | undefined {
  const people = usePeople();
  return (id) => people.find(({ personId }) => personId === id)?.name;
}

/** The shared tills of the workspace; empty until they are there. */
export function useDevices(): readonly Device[] {
  const devices = useCached(
    ['devices', 'names'],
    (options) => api.devices.list({ limit: 100 }, options).toArray({ most: 500 }),
    { keptMs: namesKeptMs },
  );
  return devices.value ?? [];
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
