import { invalidField } from '../api-error.ts';

/** The moment that a parameter names, null for none; raises `invalid_request` unless it lies after `now`. */
export function futureMoment(parameter: string, text: string | null, now: Date): Date | null {
  if (text === null) return null;
  const moment = new Date(text);
  if (moment <= now) throw invalidField(parameter, 'future', 'must be in the future.');
  return moment;
}

/**
 * The text of a parameter in Unicode's NFC form, in which texts are compared. Raises `invalid_request` where that has
 * more characters than the parameter may have: a few texts grow.
 */
export function normalText(parameter: string, text: string, most = 255): string {
  const normal = text.normalize('NFC');
  if ([...normal].length > most)
    throw invalidField(
      parameter,
      'max_length',
      `has more than ${most} characters once it is normalised (Unicode NFC).`,
      { limit: most },
    );
  return normal;
}
