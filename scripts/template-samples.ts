import type { ApplePreview, PreviewField } from '../src/rendering/previews/preview-card.ts';
import type { Picture } from '../src/rendering/previews/sheet.ts';
import type { Sample } from './preview-samples.ts';

/** What is taken of modules of a page, whose types need those of a browser. */
interface Template {
  readonly id: string;
  readonly type: ApplePreview['type'];
  readonly format: 'qr' | 'pdf417' | 'aztec' | 'code128';
  readonly picture: { readonly slot: 'stripUrl' | 'thumbnailUrl'; readonly svg: string };
}
interface Design {
  readonly title: string;
  readonly colors: ApplePreview['colors'];
  readonly fields: readonly PreviewField[];
}
interface Templates {
  readonly templates: readonly Template[];
  wordsOf(template: Template): { readonly name: string };
  designOf(template: Template, pictureUrl: null): Design;
}

/** What the cards of real shops, by template, say on their barcode. */
const shown: Readonly<Record<string, string>> = {
  coffee: '7Q4MX2K9PLA',
  miles: 'SM 4417 2093 86',
  concert: 'LIVE-0619-N-0481',
  museum: 'FORM-2027-1182',
  ribbon: '6006491234567890',
  insurance: 'HI-20418-77',
  gym: 'S1-5520817',
  welcome: 'HELLO20-X7K2',
  parking: 'B2-AB1234',
  library: 'LIB00992231',
};

const { templates, wordsOf, designOf }: Templates = await import(
  new URL('../web/console/passes/templates/templates.ts', import.meta.url).href
);

/** Ten of the console's templates on both wallets, as their shop would see them first. */
export const templateSamples: readonly Sample[] = Object.entries(shown).map(([id, value]) =>
  sampleOf(id, value),
);

function sampleOf(id: string, value: string): Sample {
  const template = templates.find((one) => one.id === id);
  if (template === undefined) throw new Error(`${id} is no template`);
  const { title, colors, fields: begun } = designOf(template, null);
  const stamps = id === 'coffee' ? { filled: 7, threshold: 10 } : null;
  const fields = stamps === null ? begun : withProgram(begun);
  const { type, format } = template;
  const card = { type, title, organization: title, colors, barcode: { format, value } };
  // Stamps are drawn where the picture was.
  const picture = stamps === null ? pictureOf(template) : null;
  const isStrip = template.picture.slot === 'stripUrl';
  const rows = [['header', 'primary'], ['secondary'], ['auxiliary']].map((sections) =>
    fields.filter(({ section }) => sections.includes(section)),
  );
  return {
    name: `template-${id}`,
    about: wordsOf(template).name,
    apple: {
      ...card,
      stamps,
      fields,
      images: {
        ...{ logo: null, background: null },
        strip: isStrip ? picture : null,
        thumbnail: isStrip ? null : picture,
      },
    },
    google: {
      ...card,
      stamps,
      rows: rows.filter((row) => row.length > 0),
      logo: isStrip ? null : picture,
      hero: isStrip ? picture : null,
    },
  };
}

/** What a program of stamps says in the place of the text about its reward. */
function withProgram(fields: readonly PreviewField[]): PreviewField[] {
  const [, ...others] = fields;
  return [
    { section: 'header', label: 'Stamps', value: '7 of 10' },
    { section: 'secondary', label: 'Reward', value: 'A coffee: 10 stamps' },
    ...others,
  ];
}

function pictureOf({ picture: { svg } }: Template): Picture {
  const [, width = '0', height = '0'] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const href = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return { href, width: Number(width), height: Number(height) };
}
