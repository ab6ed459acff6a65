import { isRefusal } from '../../shared/api-error.ts';
import { type Loaded, useLooking } from '../../shared/data.ts';
import { usePictureUrl } from './picture-url.ts';

/** A drawing of a card, as soon as it is there. What the service failed to draw is asked for again; a refusal stays one. */
export function LoadedPicture({ of, alt }: { readonly of: Loaded<string>; readonly alt: string }) {
  const { value, error, isLoading, reload } = of;
  useLooking(error !== undefined && !isRefusal(error), reload);
  const url = usePictureUrl(value);
  if (url === undefined) return <span class={`picture ${isLoading ? 'skeleton' : ''}`} />;
  return <img class="picture" src={url} alt={alt} />;
}
