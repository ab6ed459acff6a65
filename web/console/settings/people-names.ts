import { useLoad } from '../../shared/data.ts';
import { records } from '../../texts/records.ts';
import { api } from '../api.ts';

/** What to call who did something: a person by name, others by what they are, and by their id where that says more. */
export function useNames(): (actor: string) => string {
  const people = useLoad((options) => api.people.list({ limit: 100 }, options).page());
  const keys = useLoad((options) => api.apiKeys.list({ limit: 100 }, options).page());
  const { actors } = records().audit;
  return (actor) => {
    const person = people.value?.data.find(({ personId }) => personId === actor);
    if (person !== undefined) return person.name;
    const key = keys.value?.data.find(({ keyId }) => keyId === actor);
    if (key !== undefined) return `${actors.key} ${key.name}`;
    if (actor.startsWith('store_')) return actors.store;
    return (actors as Readonly<Record<string, string | undefined>>)[actor] ?? actor;
  };
}
