import type { IconName } from '../../drawing/drawn-icon.ts';
import { type CardView, shownColors } from '../../drawing/page.ts';
import { wordsFor } from '../../drawing/page-words.ts';
import { iconAddress } from './pass-icon.ts';

/** The card as an app of its own (W3C, "Web Application Manifest"). Addresses are relative to the manifest's own. */
export function webCardManifest(view: CardView): Record<string, unknown> {
  const { background } = shownColors(view);
  const icon = (name: IconName, sizes: string, purpose: string) => ({
    src: iconAddress(view, name),
    type: 'image/png',
    sizes,
    purpose,
  });
  return {
    id: 'card',
    name: `${view.title} · ${view.organization}`,
    short_name: view.title,
    lang: wordsFor(view.locale).language,
    start_url: 'card',
    scope: './',
    display: 'standalone',
    background_color: background,
    theme_color: background,
    icons: [
      icon('192.png', '192x192', 'any'),
      icon('512.png', '512x512', 'any'),
      icon('maskable.png', '512x512', 'maskable'),
    ],
  };
}
