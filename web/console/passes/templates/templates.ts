import type { NewPass } from '../../../../sdk/typescript/src/types.ts';
import type { TemplateWords } from '../../../texts/en/templates.ts';
import { templateTexts } from '../../../texts/templates.ts';
import { art } from './art.ts';

type TemplateId = keyof ReturnType<typeof templateTexts>['templates'];
type Field = NonNullable<NewPass['fields']>[number];

/** What a new pass can begin with. */
export interface Template {
  readonly id: TemplateId;
  readonly type: NewPass['type'];
  readonly colors: readonly [background: string, foreground: string, label: string];
  /** What a generic card is for. */
  readonly purpose?: NonNullable<NewPass['walletOptions']>['purpose'];
  /** On the stamps that it may come to have. */
  readonly stamp?: NonNullable<NewPass['stamps']>['icon'];
  readonly format: 'qr' | 'pdf417' | 'aztec' | 'code128';
  /** Key and section, in the order of display; their words are texts. What is not its holder's own is the same on all cards. */
  readonly fields: readonly (readonly [key: string, section: Field['section'], of?: 'holder' | 'program'])[];
  /** An SVG document for an image of the card. */
  readonly picture: { readonly slot: 'stripUrl' | 'thumbnailUrl'; readonly svg: string };
}

const strip = (name: keyof typeof art) => ({ slot: 'stripUrl', svg: art[name] }) as const;
const thumbnail = (name: keyof typeof art) => ({ slot: 'thumbnailUrl', svg: art[name] }) as const;

export const templates: readonly Template[] = [
  {
    id: 'coffee',
    type: 'loyalty',
    colors: ['#33241b', '#fff6ea', '#dcb68c'],
    stamp: 'cup',
    format: 'qr',
    fields: [
      ['treat', 'secondary', 'program'],
      ['hours', 'auxiliary'],
    ],
    picture: strip('coffee'),
  },
  {
    id: 'salon',
    type: 'loyalty',
    colors: ['#f6e7e2', '#43202d', '#8a4a5c'],
    stamp: 'scissors',
    format: 'qr',
    fields: [
      ['level', 'header', 'holder'],
      ['benefit', 'secondary'],
    ],
    picture: strip('salon'),
  },
  {
    id: 'miles',
    type: 'loyalty',
    colors: ['#0b1f3a', '#ffffff', '#9fc3e8'],
    format: 'aztec',
    fields: [
      ['status', 'header', 'holder'],
      ['lounge', 'secondary'],
    ],
    picture: strip('miles'),
  },
  {
    id: 'welcome',
    type: 'coupon',
    colors: ['#0d4f43', '#ffffff', '#a9e0cd'],
    format: 'qr',
    fields: [
      ['offer', 'primary'],
      ['code', 'secondary'],
    ],
    picture: strip('welcome'),
  },
  {
    id: 'season',
    type: 'coupon',
    colors: ['#9c3418', '#fff8ee', '#ffd3a6'],
    format: 'qr',
    fields: [
      ['offer', 'primary'],
      ['place', 'secondary'],
    ],
    picture: strip('season'),
  },
  {
    id: 'concert',
    type: 'eventTicket',
    colors: ['#17112e', '#ffffff', '#d3a8ff'],
    format: 'aztec',
    fields: [
      ['doors', 'header'],
      ['area', 'secondary', 'holder'],
      ['entry', 'auxiliary', 'holder'],
    ],
    picture: strip('concert'),
  },
  {
    id: 'museum',
    type: 'eventTicket',
    colors: ['#f5f0e6', '#1d1b18', '#6b5842'],
    format: 'qr',
    fields: [
      ['hours', 'header'],
      ['event', 'secondary'],
      ['ticket', 'auxiliary', 'holder'],
    ],
    picture: strip('museum'),
  },
  {
    id: 'ribbon',
    type: 'giftCard',
    colors: ['#14284a', '#ffffff', '#e6c983'],
    format: 'code128',
    fields: [
      ['value', 'header', 'holder'],
      ['from', 'secondary'],
    ],
    picture: strip('ribbon'),
  },
  {
    id: 'party',
    type: 'giftCard',
    colors: ['#6b1f4f', '#ffffff', '#ffc3dd'],
    format: 'qr',
    fields: [
      ['value', 'header', 'holder'],
      ['wish', 'secondary'],
    ],
    picture: strip('party'),
  },
  {
    id: 'gym',
    type: 'generic',
    purpose: 'gym',
    colors: ['#101317', '#ffffff', '#c5f06b'],
    format: 'qr',
    fields: [
      ['plan', 'header', 'holder'],
      ['member', 'primary', 'holder'],
      ['hours', 'secondary'],
      ['classes', 'auxiliary'],
    ],
    picture: thumbnail('gym'),
  },
  {
    id: 'space',
    type: 'generic',
    colors: ['#e8eef6', '#132238', '#3d5a80'],
    format: 'qr',
    fields: [
      ['kind', 'header', 'holder'],
      ['name', 'primary', 'holder'],
      ['hours', 'secondary'],
      ['desk', 'auxiliary', 'holder'],
    ],
    picture: thumbnail('space'),
  },
  {
    id: 'insurance',
    type: 'generic',
    purpose: 'carInsurance',
    colors: ['#eef3fb', '#12244d', '#3c5a99'],
    format: 'qr',
    fields: [
      ['policy', 'header', 'holder'],
      ['insured', 'primary', 'holder'],
      ['cover', 'secondary'],
      ['help', 'auxiliary'],
    ],
    picture: thumbnail('insurance'),
  },
  {
    id: 'parking',
    type: 'generic',
    purpose: 'parking',
    colors: ['#083b73', '#ffffff', '#a8d0f5'],
    format: 'qr',
    fields: [
      ['zone', 'header', 'holder'],
      ['plate', 'primary', 'holder'],
      ['until', 'secondary', 'holder'],
      ['entry', 'auxiliary'],
    ],
    picture: thumbnail('parking'),
  },
  {
    id: 'library',
    type: 'generic',
    purpose: 'library',
    colors: ['#24382f', '#fbf6e6', '#d5c78f'],
    format: 'code128',
    fields: [
      ['year', 'header', 'holder'],
      ['reader', 'primary', 'holder'],
      ['branch', 'secondary'],
      ['loan', 'auxiliary'],
    ],
    picture: thumbnail('library'),
  },
];

export function wordsOf({ id }: Template): TemplateWords {
  return templateTexts().templates[id];
}

/** The pass that a template makes, with its picture at an address or without one. */
export function designOf(template: Template, pictureUrl: string | null): NewPass {
  const { type, colors, format, fields, picture, purpose, stamp } = template;
  const { title, details, fields: words } = wordsOf(template);
  const [background, foreground, label] = colors;
  return {
    title,
    type,
    details,
    colors: { background, foreground, label },
    barcode: { mode: 'unique', format },
    ...(purpose !== undefined && { walletOptions: { purpose } }),
    ...(stamp !== undefined && { stamps: { icon: stamp } }),
    fields: fields.map(([key, section, of]): Field => {
      const [name = key, value = ''] = words[key] ?? [];
      return {
        ...{ key, section, label: name, value, editable: of === 'holder' },
        ...(of === 'program' && { untilProgram: true }),
      };
    }),
    ...(pictureUrl !== null && { [picture.slot]: pictureUrl }),
  };
}
