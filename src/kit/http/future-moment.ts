import { invalidRequest } from './api-error.ts';

/** The moment that a parameter names, null for none; raises `invalid_request` unless it lies after `now`. */
export function futureMoment(parameter: string, text: string | null, now: Date): Date | null {
  if (text === null) return null;
  const moment = new Date(text);
  if (moment <= now) throw invalidRequest(`${parameter}: must be in the future.`);
  return moment;
}
