import { serialNumbersIn } from '../../cards/serial-number.ts';
import type { PublicCtx } from '../../context.ts';
import { listWorkspacesOf } from './device-workspaces.sql.ts';
import { type DeviceName, listChanges } from './registrations.sql.ts';

interface ChangedSerials {
  readonly serialNumbers: string[];
  readonly lastUpdated: string;
}

/**
 * The cards on a device that have changed since `lastUpdated`; null when there are none. Each workspace is
 * asked by itself: its tags show exactly what is new there, in whatever order workspaces have committed.
 */
export async function changedSerials(
  { app: { groupCommit } }: PublicCtx,
  { deviceLibraryIdentifier, passTypeIdentifier }: DeviceName,
  lastUpdated: string | undefined,
): Promise<ChangedSerials | null> {
  const workspaceIds = await groupCommit.read(listWorkspacesOf, passTypeIdentifier, deviceLibraryIdentifier);
  const tags = readTags(lastUpdated);
  const answers = await Promise.all(
    workspaceIds.map(async (workspaceId, place) => {
      if (workspaceId === null) return null;
      // Of a place that came later the device has the cards as they were when it registered them: their tag is 0.
      const since = tags === null ? null : (tags.get(place) ?? 0);
      const asked = { deviceLibraryIdentifier, passTypeIdentifier, since };
      const changes = await groupCommit.read(listChanges, workspaceId, asked);
      return changes === undefined ? null : { place, changes };
    }),
  );
  const known = answers.filter((answer) => answer !== null);
  const serialNumbers = known.flatMap(({ changes }) =>
    changes.cards === null ? [] : serialNumbersIn(changes.cards),
  );
  if (serialNumbers.length === 0) return null;
  const newest = new Map(known.map(({ place, changes }) => [place, changes.tag]));
  return { serialNumbers, lastUpdated: writeTags(newest) };
}

/** The tags that a device knows, one for each workspace that it had cards of, by its place. */
type DeviceTags = ReadonlyMap<number, number>;

/**
 * Tags as a device keeps them: `1700000000000` for the first place alone, `1700000000000.1700000000005` for the first two.
 * Where places are skipped the next one is named: `1700000000000.4-1700000000005`.
 */
function writeTags(tags: DeviceTags): string {
  let next = 0;
  const items = [...tags].sort(([one], [other]) => one - other);
  return items
    .map(([place, tag]) => {
      const item = place === next ? `${tag}` : `${place}-${tag}`;
      next = place + 1;
      return item;
    })
    .join('.');
}

/** The tags in a text; null for none, and for what none of ours looks like. */
function readTags(text = ''): DeviceTags | null {
  if (!/^(?:\d{1,9}-)?\d{1,15}(?:\.(?:\d{1,9}-)?\d{1,15})*$/.test(text)) return null;
  const tags = new Map<number, number>();
  let next = 0;
  for (const item of text.split('.')) {
    const [tag = '', named] = item.split('-').reverse();
    const place = named === undefined ? next : Number(named);
    tags.set(place, Number(tag));
    next = place + 1;
  }
  return tags;
}
