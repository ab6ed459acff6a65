/** How large a drawing is, or why it is not served. */
export type Checked = { readonly width: number; readonly height: number } | { readonly refused: string };

/**
 * Checks an SVG from outside that browsers are to draw: nothing in it may run, be fetched, or be understood in two
 * ways. What is not known to be harmless is refused, such as a DOCTYPE or an element that no badge needs.
 */
export function checkSvg(text: string): Checked {
  const refuse = (why: string) => ({ refused: why });
  const start = /^\uFEFF?\s*(?:<\?xml\s[^<>]*\?>\s*)?/.exec(text)?.[0].length ?? 0;
  let root: ReadonlyMap<string, string> | null = null;
  let rest = text.slice(start);
  let open = 0;
  for (;;) {
    const [between = ''] = /^[^<]*/.exec(rest) ?? [];
    const problem = /[@\\]|url\s*\((?!\s*["']?#)/i.exec(between);
    if (problem !== null) return refuse(`a style has ${problem[0]}`);
    rest = rest.slice(between.length);
    if (rest === '') break;
    const comment = /^<!--(?:(?!--)[\s\S])*-->/.exec(rest)?.[0];
    const tag = /^<(\/?)([A-Za-z]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/.exec(rest);
    if (comment === undefined && tag === null) return refuse(`it has ${rest.slice(0, 12)}`);
    rest = rest.slice((comment ?? tag?.[0] ?? '').length);
    if (tag === null) continue;
    const [, closing, name = '', attributes = '', alone] = tag;
    if (!ELEMENTS.has(name)) return refuse(`it has <${name}>`);
    if (closing === '/') {
      open -= 1;
      continue;
    }
    const read = readAttributes(attributes);
    for (const [key, value] of read) {
      const why = attributeProblem(key, value);
      if (why !== null) return refuse(why);
    }
    if (root === null && name !== 'svg') return refuse('it does not begin with <svg>');
    if (root !== null && open === 0) return refuse('it has more than one <svg>');
    root ??= read;
    if (alone !== '/') open += 1;
  }
  return root === null || open !== 0 ? refuse('it is not whole') : sizeOf(root);
}

const ELEMENTS: ReadonlySet<string> = new Set(
  'svg g path rect circle ellipse line polyline polygon defs use symbol clipPath mask linearGradient radialGradient stop title desc style text tspan'.split(
    ' ',
  ),
);

function readAttributes(text: string): Map<string, string> {
  const pairs = text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map([...pairs].map(([, name = '', double, single]) => [name, double ?? single ?? '']));
}

function attributeProblem(name: string, value: string): string | null {
  if (/^on/i.test(name)) return `it has ${name}`;
  if (/(?:^|:)href$/i.test(name) && !value.startsWith('#')) return `${name} leads elsewhere`;
  // An entity, or an escape of CSS, could spell what is looked for here.
  if (/[&\\]/.test(value)) return `${name} has an escape`;
  if (/url\s*\((?!\s*["']?#)/i.test(value)) return `${name} loads something`;
  return null;
}

function sizeOf(root: ReadonlyMap<string, string>): Checked {
  const [, , width, height] = (root.get('viewBox') ?? '').trim().split(/[\s,]+/);
  const size = {
    width: Number.parseFloat(width ?? root.get('width') ?? ''),
    height: Number.parseFloat(height ?? root.get('height') ?? ''),
  };
  return isSize(size) ? size : { refused: 'it has no size, or an odd one' };
}

/** Badges are wider than high, and no banners. */
export function isSize({ width, height }: { width: number; height: number }): boolean {
  return width > 0 && height > 0 && width / height >= 1 && width / height <= 8;
}
