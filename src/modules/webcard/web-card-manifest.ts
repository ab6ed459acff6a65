import { type CardView, shownColors } from '../holder/page.ts';
import { wordsFor } from '../holder/page-words.ts';

/** The card as an app of its own (W3C, "Web Application Manifest"). Addresses are relative to the manifest's own. */
export function webCardManifest(view: CardView): Record<string, unknown> {
  const { background } = shownColors(view);
  const icon = (name: string, sizes: string, purpose: string) => ({
    src: `icons/${name}.png`,
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
      icon('192', '192x192', 'any'),
      icon('512', '512x512', 'any'),
      icon('maskable', '512x512', 'maskable'),
    ],
  };
}
