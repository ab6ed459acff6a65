import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { useLoad } from '../../shared/data.ts';
import { api } from '../api.ts';
import { usePictureUrl } from './picture-url.ts';

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
  const loaded = useLoad(
    async (options) => (await api.passes.previewSvg(passId, { platform }, options)).text(),
    [passId, platform, updatedAt],
  );
  const url = usePictureUrl(loaded.value);
  if (url === undefined) return <span class={`picture ${loaded.isLoading ? 'skeleton' : ''}`} />;
  return <img class="picture" src={url} alt={alt} />;
}
