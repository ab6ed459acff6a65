/** A picture across a card: calm, so that a text on it can be read. */
function strip(ground: string, shapes: string, definitions = ''): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1125" height="432" viewBox="0 0 375 144"><defs>${definitions}</defs><rect width="375" height="144" fill="${ground}"/>${shapes}</svg>`;
}

function square(ground: string, shapes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="540" height="540" viewBox="0 0 90 90"><rect width="90" height="90" fill="${ground}"/>${shapes}</svg>`;
}

function gradient(id: string, from: string, to: string, x2 = 1, y2 = 1): string {
  return `<linearGradient id="${id}" x2="${x2}" y2="${y2}"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;
}

/** `count` shapes, each turned further around a place. */
function around(count: number, x: number, y: number, shape: string, turn = 360): string {
  return Array.from(
    { length: count },
    (_, at) => `<g transform="translate(${x} ${y}) rotate(${(at * turn) / count})">${shape}</g>`,
  ).join('');
}

const bean = (x: number, y: number, turn: number, fill: string, size = 1) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})"><ellipse rx="17" ry="24" fill="${fill}"/><path d="M0-24C-9-10 9 8 0 24" fill="none" stroke="#33241b" stroke-width="2.6"/></g>`;

const dots = (fill: string, places: readonly (readonly [number, number, number])[]) =>
  places.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`).join('');

/** Pictures of the templates, drawn for them. */
export const art = {
  coffee: strip(
    'url(#g)',
    `<circle cx="300" cy="66" r="92" fill="#5a3d2a"/><circle cx="300" cy="66" r="76" fill="#fff6ea"/><circle cx="300" cy="66" r="64" fill="#8a5a34"/><circle cx="300" cy="66" r="64" fill="url(#c)"/><path d="M300 104c-30-20-40-38-27-50 9-8 21-3 27 7 6-10 18-15 27-7 13 12 3 30-27 50z" fill="#f3dcc0"/><path d="M300 92c-18-12-25-24-17-32 6-5 13-2 17 5 4-7 11-10 17-5 8 8 1 20-17 32z" fill="#8a5a34" opacity=".55"/>${bean(48, 96, -28, '#6d4930')}${bean(104, 44, 32, '#7d5538', 0.8)}${bean(152, 112, 74, '#5f3f29', 0.9)}${bean(24, 26, 60, '#5f3f29', 0.6)}`,
    gradient('g', '#4b3325', '#2a1c14') + gradient('c', '#b07a48', '#6d4526', 0.4, 1),
  ),
  salon: strip(
    'url(#g)',
    `${around(10, 292, 82, '<path d="M0 0C-24-30-20-74 0-92 20-74 24-30 0 0z" fill="#e79fae" fill-opacity=".42"/>')}${around(10, 292, 82, '<path d="M0 0C-14-18-12-42 0-54 12-42 14-18 0 0z" fill="#c76a83" fill-opacity=".5"/>')}<circle cx="292" cy="82" r="9" fill="#f7d9a8"/>${around(8, 62, 150, '<path d="M0 0C-16-20-14-52 0-66 14-52 16-20 0 0z" fill="#e79fae" fill-opacity=".35"/>')}`,
    gradient('g', '#fbf1ed', '#f0cfca'),
  ),
  welcome: strip(
    'url(#g)',
    `<g transform="rotate(-24 187 72)"><rect x="228" y="-90" width="34" height="330" fill="#18806b"/><rect x="276" y="-90" width="34" height="330" fill="#2aa287"/><rect x="324" y="-90" width="34" height="330" fill="#f2c14e"/><rect x="372" y="-90" width="34" height="330" fill="#f78154"/></g>`,
    gradient('g', '#0b463b', '#0f6151'),
  ),
  season: strip(
    'url(#g)',
    `${around(24, 318, 132, '<path d="M-6-88 0-170 6-88z" fill="#f9a03f" fill-opacity=".55"/>')}<circle cx="318" cy="132" r="78" fill="#f9a03f"/><circle cx="318" cy="132" r="58" fill="#ffc857"/><path d="M0 128q47-22 94 0t94 0 94 0 94 0v20H0z" fill="#c4452a" fill-opacity=".9"/><path d="M0 138q47-16 94 0t94 0 94 0 94 0v10H0z" fill="#7f2812"/>`,
    gradient('g', '#8a2b12', '#cf5426', 1, 0.4),
  ),
  concert: strip(
    'url(#g)',
    `${[128, 108, 90, 74, 60, 48].map((r, at) => `<circle cx="292" cy="120" r="${r}" fill="none" stroke="#fff" stroke-opacity="${0.1 + at * 0.05}" stroke-width="1.4"/>`).join('')}<circle cx="292" cy="120" r="36" fill="url(#s)"/><circle cx="292" cy="120" r="5" fill="#17112e"/>${[26, 44, 20, 60, 84, 52, 96, 70, 38, 58, 28, 46, 18].map((height, at) => `<rect x="${20 + at * 12}" y="${126 - height}" width="6" height="${height}" rx="3" fill="url(#s)" fill-opacity="${0.5 + (at % 3) * 0.2}"/>`).join('')}`,
    gradient('g', '#2b1a5e', '#6a1f6d') + gradient('s', '#ff5d8f', '#8b5cf6', 0, 1),
  ),
  museum: strip(
    '#f5f0e6',
    `<rect x="0" y="0" width="96" height="144" fill="#1f3c88"/><path d="M0 144A96 96 0 0 1 96 48v96z" fill="#f5f0e6"/><circle cx="160" cy="80" r="64" fill="#e4572e"/><path d="M160 16a64 64 0 0 1 0 128z" fill="#b93d1a"/><rect x="232" y="16" width="72" height="128" fill="#f2b134"/><path d="M232 144 304 16v128z" fill="#1d1b18"/>${[0, 1, 2, 3, 4, 5].map((at) => `<rect x="${318 + at * 10}" y="16" width="4" height="128" fill="#1d1b18"/>`).join('')}`,
  ),
  ribbon: strip(
    'url(#g)',
    `<rect x="262" y="0" width="30" height="144" fill="url(#r)"/><rect x="0" y="78" width="375" height="24" fill="url(#r)"/><g transform="translate(277 88)"><path d="M0 0C-20-46-76-52-74-22-72 4-30 8 0 0z" fill="#d8b05c"/><path d="M0 0C20-46 76-52 74-22 72 4 30 8 0 0z" fill="#e6c983"/><path d="M-2 2-40 62l20-6 8 16L6 6zM2 2l38 60-20-6-8 16L-6 6z" fill="#c79a3f"/><rect x="-12" y="-12" width="24" height="24" rx="6" fill="#f0d9a0"/></g>${dots(
      '#e6c983',
      [
        [40, 34, 1.6],
        [88, 20, 1.1],
        [130, 50, 1.8],
        [180, 26, 1.2],
        [214, 54, 1.5],
        [60, 124, 1.4],
        [150, 126, 1.2],
        [340, 30, 1.6],
      ],
    )}`,
    gradient('g', '#1b3766', '#0f1f3b') + gradient('r', '#e6c983', '#c79a3f'),
  ),
  party: strip(
    'url(#g)',
    `<g fill="none" stroke="#fff" stroke-opacity=".5"><path d="M232 74q6 34-8 80M282 56q-4 44 6 100M332 82q4 30-8 74"/></g><ellipse cx="232" cy="44" rx="25" ry="31" fill="#ff8fb8"/><ellipse cx="282" cy="28" rx="28" ry="35" fill="#ffd166"/><ellipse cx="332" cy="52" rx="25" ry="31" fill="#6ec6e6"/><g fill="#fff" fill-opacity=".35"><ellipse cx="224" cy="33" rx="5" ry="9"/><ellipse cx="273" cy="16" rx="6" ry="10"/><ellipse cx="324" cy="41" rx="5" ry="9"/></g>${dots(
      '#ffd166',
      [
        [30, 30, 4],
        [96, 104, 3],
        [150, 28, 3],
        [186, 116, 4],
      ],
    )}${dots('#ff8fb8', [
      [62, 84, 5],
      [120, 60, 3],
      [26, 122, 3],
      [176, 70, 3],
    ])}${dots('#6ec6e6', [
      [80, 26, 3],
      [146, 118, 4],
      [44, 58, 3],
    ])}`,
    gradient('g', '#7d2760', '#4f1440'),
  ),
  miles: strip(
    'url(#g)',
    `<circle cx="300" cy="236" r="176" fill="#123a6b"/><circle cx="300" cy="236" r="176" fill="none" stroke="#9fc3e8" stroke-opacity=".35"/>${[0, 1, 2].map((at) => `<path d="M${20 + at * 26} ${138 - at * 6}Q${150 + at * 20} ${-8 + at * 22} ${330 - at * 12} ${84 + at * 10}" fill="none" stroke="#9fc3e8" stroke-opacity="${0.55 - at * 0.14}" stroke-width="1.4" stroke-dasharray="1 5" stroke-linecap="round"/>`).join('')}<g transform="translate(196 41) rotate(10) scale(1.7)"><path d="M-16-1.6H12q5 0 7 1.6-2 1.6-7 1.6H-16zM2-1 -8-15h4L9-1zM2 1-8 15h4L9 1zM-14-1-19-8h3l6 7z" fill="#fff"/></g>${dots(
      '#fff',
      [
        [40, 24, 1.2],
        [92, 52, 0.9],
        [128, 18, 1.1],
        [262, 22, 1],
        [322, 38, 1.3],
        [352, 16, 0.9],
      ],
    )}`,
    gradient('g', '#0b1f3a', '#1c4f8f', 0.6, 1),
  ),
  gym: square(
    '#c5f06b',
    '<path d="M0 90 90 0v90z" fill="#a6d83f"/><path d="M52 12 24 50h16l-6 28 30-40H47z" fill="#101317"/>',
  ),
  space: square(
    '#3d5a80',
    '<path d="M0 0h90v90z" fill="#4d6f9a"/><path d="M14 70V24l31 8v46zM76 70V24l-31 8v46z" fill="#fff"/><path d="M45 32v46" stroke="#c9d6e6" stroke-width="3"/><path d="M21 36l17 4M21 46l17 4M21 56l17 4M69 36l-17 4M69 46l-17 4M69 56l-17 4" stroke="#98b0cc" stroke-width="2.4"/>',
  ),
  insurance: square(
    '#1d4ed8',
    '<path d="M0 90 90 0v90z" fill="#1a43b8"/><path d="M45 14 70 23v20c0 17-11 28-25 34-14-6-25-17-25-34V23z" fill="#fff"/><path d="M33 45l9 9 17-19" fill="none" stroke="#1d4ed8" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>',
  ),
  parking: square(
    '#0b5cad',
    '<path d="M0 66h90v24H0z" fill="#084a8d"/><path d="M8 78h14M38 78h14M68 78h14" stroke="#fff" stroke-width="4"/><path d="M34 58V16h15a13 13 0 0 1 0 26H34" fill="none" stroke="#fff" stroke-width="9" stroke-linejoin="round"/>',
  ),
  library: square(
    '#e9dfc3',
    '<path d="M10 70h70v6H10z" fill="#6b5232"/><path d="M16 26h12v44H16z" fill="#a3402c"/><path d="M30 18h10v52H30z" fill="#2f5d50"/><path d="M42 30h14v40H42z" fill="#c9973a"/><path d="m60 25 10-3 13 46-10 3z" fill="#3f4f7a"/><path d="M16 34h12M16 60h12M30 28h10M42 40h14M42 60h14" stroke="#fff" stroke-opacity=".7" stroke-width="2.4"/>',
  ),
} as const;
