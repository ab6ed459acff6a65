import { useCached } from '../../shared/cached.ts';
import { api } from '../api.ts';

/** The time zone of the workspace, in which files say when something was. */
export function useTimeZone(): string {
  const workspace = useCached(['workspace'], (options) => api.workspace.get(options));
  return workspace.value?.timezone ?? 'UTC';
}
