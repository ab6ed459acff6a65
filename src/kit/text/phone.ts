/**
 * A telephone number as it is compared: its digits, after `+` where it begins with `+` or `00`. A trunk zero in brackets, as in
 * `+49 (0)171`, is not dialled.
 */
export function dialled(phone: string): string {
  return phone.replace(/\(0\)|[^0-9+]/g, '').replace(/^00/, '+');
}

/** A telephone number in the form of E.164, such as `+491711234567`; null for one that names no country. */
export function e164(phone: string): string | null {
  const number = dialled(phone);
  return /^\+[1-9][0-9]{6,14}$/.test(number) ? number : null;
}
