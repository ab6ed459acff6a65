import { ConfigError } from './setting-values.ts';

/** Shorter names are too much like those of other programs. */
const shortest = 8;

/**
 * Raises ConfigError for a variable that is one slip of the keyboard from the name of a setting that nobody has set: a
 * letter too many, missing, wrong, in the other case, or two that changed places. An empty one counts as set here, so that
 * whoever needs the other name for another program can say so. Any other variable is somebody else's.
 */
export function refuseMisspelt(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): void {
  const isThere = (name: string) => env[name] !== undefined;
  const unset = known.filter((name) => name.length >= shortest && !isThere(name));
  for (const found of Object.keys(env).filter(isThere)) {
    const meant = known.includes(found)
      ? undefined
      : unset.find((name) => isOneSlip(found.toUpperCase(), name));
    if (meant === undefined) continue;
    throw new ConfigError(
      `${found} is no setting: ${meant} was probably meant. Where another program needs ${found}, set ${meant} too; empty means its default.`,
    );
  }
}

/** Whether two names are the same but for one letter, or for two neighbours that changed places. */
function isOneSlip(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [rest, otherRest] = [one.slice(same), other.slice(same)];
  const swapped = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`;
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    swapped === otherRest
  );
}
