import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { useCached } from '../../shared/cached.ts';
import { api } from '../api.ts';
import { LoadedPicture } from './loaded-picture.tsx';

/** A card of a pass as Apple Wallet shows it, or as Google Wallet does. */
export function PassPicture({
  pass,
  platform = 'apple',
  alt = '',
}: {
  readonly pass: Pass;
  readonly platform?: 'apple' | 'google';
  readonly alt?: string;
}) {
  const { passId, updatedAt } = pass;
  const loaded = useCached(['pictures', passId, platform, updatedAt], async (options) =>
    (await api.passes.previewSvg(passId, { platform }, options)).text(),
  );
  return <LoadedPicture of={loaded} alt={alt} />;
}
