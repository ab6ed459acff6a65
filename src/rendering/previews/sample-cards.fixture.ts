import type { ApplePreview, GooglePreview, PreviewField } from './preview-card.ts';
import type { Picture } from './sheet.ts';

/** Pictures of our own: shapes as SVG weigh little. Real cards have PNG. */
function drawnPicture(width: number, height: number, shapes: string): Picture {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice">${shapes}</svg>`;
  return { href: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, width, height };
}

const cup =
  '<path d="M10 14h24v12a9 9 0 0 1-9 9h-6a9 9 0 0 1-9-9z" fill="#fff"/><path d="M34 17h3a5 5 0 0 1 0 10h-3" fill="none" stroke="#fff" stroke-width="3"/><path d="M17 4q3 3 0 6M25 4q3 3 0 6" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/>';

/** Hills in three colours under a sun. */
function hills(
  width: number,
  height: number,
  [sky, sun, far, near]: readonly [string, string, string, string],
) {
  const [w, h] = [width, height];
  return drawnPicture(
    width,
    height,
    `<rect width="${w}" height="${h}" fill="${sky}"/><circle cx="${w * 0.72}" cy="${h * 0.42}" r="${h * 0.2}" fill="${sun}"/><path d="M0 ${h * 0.72}Q${w * 0.25} ${h * 0.4} ${w * 0.5} ${h * 0.66}T${w} ${h * 0.55}V${h}H0z" fill="${far}"/><path d="M0 ${h * 0.9}Q${w * 0.3} ${h * 0.62} ${w * 0.62} ${h * 0.86}T${w} ${h * 0.78}V${h}H0z" fill="${near}"/>`,
  );
}

export const pictures = {
  cupLogo: drawnPicture(50, 50, cup),
  roundCup: drawnPicture(
    100,
    100,
    `<rect width="100" height="100" fill="#c2703d"/><g transform="translate(26 28) scale(1.1)">${cup}</g>`,
  ),
  strip: hills(375, 144, ['#2b5876', '#f7c873', '#1c4662', '#123249']),
  hero: hills(1032, 336, ['#2b5876', '#f7c873', '#1c4662', '#123249']),
  dusk: hills(90, 90, ['#6a2c70', '#f9ed69', '#b83b5e', '#3b1842']),
  blurredDusk: drawnPicture(
    180,
    220,
    '<linearGradient id="dusk" x2=".3" y2="1"><stop stop-color="#6a2c70"/><stop offset=".4" stop-color="#a8485f"/><stop offset=".6" stop-color="#b83b5e"/><stop offset="1" stop-color="#3b1842"/></linearGradient><rect width="180" height="220" fill="url(#dusk)"/>',
  ),
  portrait: drawnPicture(
    90,
    90,
    '<rect width="90" height="90" fill="#cfe3ee"/><circle cx="45" cy="36" r="17" fill="#5b7c92"/><path d="M12 90q4-32 33-32t33 32z" fill="#5b7c92"/>',
  ),
};

export function sampleField(section: PreviewField['section'], label: string, value: string): PreviewField {
  return { section, label, value };
}

/** A card that holds nothing but what each has. */
export const plainApple: ApplePreview = {
  platform: 'apple',
  organization: 'Blue Bean Coffee',
  title: 'Blue Bean Club',
  type: 'loyalty',
  colors: { background: '#10324a', foreground: '#ffffff', label: '#b9d3e3' },
  barcode: { format: 'qr', value: '7Q4MX2K9PLA' },
  stamps: null,
  ended: null,
  language: 'en',
  fromRight: false,
  fields: [],
  images: { logo: null, strip: null, thumbnail: null, background: null },
};

export const plainGoogle: GooglePreview = {
  platform: 'google',
  organization: plainApple.organization,
  title: plainApple.title,
  type: 'loyalty',
  colors: plainApple.colors,
  barcode: plainApple.barcode,
  stamps: null,
  ended: null,
  language: 'en',
  fromRight: false,
  subheader: null,
  rows: [],
  logo: null,
  hero: null,
};
