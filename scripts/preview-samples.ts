import type { ApplePreview, GooglePreview } from '../src/rendering/previews/preview-card.ts';
import {
  sampleField as field,
  pictures,
  plainApple,
} from '../src/rendering/previews/sample-cards.fixture.ts';

const noImages = plainApple.images;

/** A card on both wallets, as far as it differs from a plain one. */
export interface Sample {
  readonly name: string;
  readonly about: string;
  readonly apple: Partial<ApplePreview>;
  readonly google: Partial<GooglePreview>;
}

/** What the gallery of previews shows. */
export const samples: readonly Sample[] = [
  {
    name: 'loyalty',
    about: 'A loyalty card with a logo, a strip and a hero',
    apple: {
      fields: [
        field('header', 'Points', '1,240'),
        field('primary', 'Next reward at 1,500 points', 'Silver'),
        field('secondary', 'Name', 'Ada Lovelace'),
        field('secondary', 'Member since', 'May 2021'),
      ],
      images: { ...noImages, logo: pictures.cupLogo, strip: pictures.strip },
    },
    google: {
      rows: [
        [
          { label: 'Points', value: '1,240' },
          { label: 'Tier', value: 'Silver' },
        ],
        [
          { label: 'Name', value: 'Ada Lovelace' },
          { label: 'Member since', value: 'May 2021' },
        ],
      ],
      logo: pictures.roundCup,
      hero: pictures.hero,
    },
  },
  {
    name: 'coupon',
    about: 'A coupon with a PDF417 barcode',
    apple: {
      type: 'coupon',
      title: 'Welcome back',
      colors: { background: '#b3262e', foreground: '#ffffff', label: '#ffd9d6' },
      barcode: { format: 'pdf417', value: 'WELCOME-20-7Q4MX2K9PLA' },
      fields: [
        field('primary', 'on any drink', '20% off'),
        field('secondary', 'Valid until', '31 January 2027'),
        field('auxiliary', 'Once a day', 'Yes'),
      ],
      images: { ...noImages, logo: pictures.cupLogo },
    },
    google: {
      type: 'coupon',
      title: 'Welcome back',
      colors: { background: '#b3262e', foreground: '#ffffff', label: '#ffd9d6' },
      barcode: { format: 'pdf417', value: 'WELCOME-20-7Q4MX2K9PLA' },
      rows: [
        [{ label: 'on any drink', value: '20% off' }],
        [{ label: 'Valid until', value: '31 January 2027' }],
        [{ label: 'Once a day', value: 'Yes' }],
      ],
    },
  },
  {
    name: 'event-ticket',
    about: 'An event ticket over a blurred background',
    apple: {
      type: 'eventTicket',
      organization: 'Harbour Stage',
      title: 'Harbour Stage',
      colors: { background: '#3b1842', foreground: '#ffffff', label: '#f3d9ea' },
      barcode: { format: 'aztec', value: 'HS-2027-0619-A-12-0481' },
      fields: [
        field('header', 'Gate', 'B'),
        field('primary', 'Concert', 'The Long Evening'),
        field('secondary', 'Venue', 'Old Harbour Hall'),
        field('secondary', 'Date', '19 June 2027, 20:00'),
        field('auxiliary', 'Section', 'A'),
        field('auxiliary', 'Row', '12'),
        field('auxiliary', 'Seat', '4'),
      ],
      images: { ...noImages, thumbnail: pictures.dusk, background: pictures.blurredDusk },
    },
    google: {
      type: 'eventTicket',
      organization: 'Harbour Stage',
      title: 'The Long Evening',
      colors: { background: '#3b1842', foreground: '#ffffff', label: '#f3d9ea' },
      barcode: { format: 'aztec', value: 'HS-2027-0619-A-12-0481' },
      rows: [
        [
          { label: 'Gate', value: 'B' },
          { label: 'Concert', value: 'The Long Evening' },
        ],
        [
          { label: 'Venue', value: 'Old Harbour Hall' },
          { label: 'Date', value: '19 June 2027, 20:00' },
        ],
        [
          { label: 'Section', value: 'A' },
          { label: 'Row', value: '12' },
          { label: 'Seat', value: '4' },
        ],
      ],
    },
  },
  {
    name: 'gift-card',
    about: 'A gift card with a Code 128 barcode, and no picture at all',
    apple: {
      type: 'giftCard',
      title: 'Gift card',
      colors: { background: '#14532d', foreground: '#ffffff', label: '#bbf7d0' },
      barcode: { format: 'code128', value: '6006491234567890' },
      fields: [
        field('primary', 'Balance', '€ 25.00'),
        field('secondary', 'From', 'Grace'),
        field('auxiliary', 'To', 'Ada'),
      ],
    },
    google: {
      type: 'giftCard',
      title: 'Gift card',
      colors: { background: '#14532d', foreground: '#ffffff', label: '#bbf7d0' },
      barcode: { format: 'code128', value: '6006491234567890' },
      rows: [
        [{ label: 'Balance', value: '€ 25.00' }],
        [{ label: 'From', value: 'Grace' }],
        [{ label: 'To', value: 'Ada' }],
      ],
    },
  },
  {
    name: 'generic',
    about: 'A membership with a portrait',
    apple: {
      type: 'generic',
      organization: 'City Library',
      title: 'City Library',
      colors: { background: '#e8eef2', foreground: '#1d3b4f', label: '#456b82' },
      barcode: { format: 'qr', value: 'LIB-0099-2231' },
      fields: [
        field('header', 'Year', '2027'),
        field('primary', 'Member', 'Ada Lovelace'),
        field('secondary', 'Number', '0099-2231'),
        field('secondary', 'Branch', 'Riverside'),
        field('auxiliary', 'Valid until', '12/2027'),
      ],
      images: { ...noImages, thumbnail: pictures.portrait },
    },
    google: {
      type: 'generic',
      organization: 'City Library',
      title: 'Library card',
      subheader: 'Ada Lovelace',
      colors: { background: '#e8eef2', foreground: '#1d3b4f', label: '#456b82' },
      barcode: { format: 'qr', value: 'LIB-0099-2231' },
      rows: [
        [{ label: 'Year', value: '2027' }],
        [
          { label: 'Number', value: '0099-2231' },
          { label: 'Branch', value: 'Riverside' },
        ],
        [{ label: 'Valid until', value: '12/2027' }],
      ],
    },
  },
  {
    name: 'long-texts',
    about: 'Texts that have no room end in an ellipsis',
    apple: {
      organization: 'The Extraordinarily Long Named Coffee Roasting Company of the Northern Hills',
      title: 'The Extraordinarily Long Named Coffee Roasting Company',
      colors: { background: '#312e81', foreground: '#ffffff', label: '#c7d2fe' },
      barcode: { format: 'qr', value: 'MEMBER-'.repeat(20) },
      fields: [
        field('header', 'Available balance', '1,234,567 points'),
        field(
          'primary',
          'The reward that you have almost reached already, in all its splendour',
          'An unusually generous breakfast for two',
        ),
        field('secondary', 'Name of the member', 'Wolfeschlegelsteinhausenbergerdorff the Younger'),
        field('secondary', 'Favourite drink', 'Decaffeinated oat milk latte with cinnamon'),
        field('auxiliary', 'Since', '1999'),
        field('auxiliary', 'Home shop', 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'),
        field('auxiliary', 'Never shown', 'there is no room for a fifth'),
      ],
    },
    google: {
      organization: 'The Extraordinarily Long Named Coffee Roasting Company of the Northern Hills',
      title: 'The Extraordinarily Long Named Membership of a Coffee Roasting Company with More Words',
      colors: { background: '#312e81', foreground: '#ffffff', label: '#c7d2fe' },
      barcode: { format: 'qr', value: 'MEMBER-'.repeat(20) },
      rows: [
        [
          { label: 'Available balance', value: '1,234,567 points' },
          {
            label: 'The reward that you have almost reached already',
            value: 'An unusually generous breakfast for two',
          },
        ],
        [
          { label: 'Name of the member', value: 'Wolfeschlegelsteinhausenbergerdorff the Younger' },
          { label: 'Favourite drink', value: 'Decaffeinated oat milk latte with cinnamon' },
          { label: 'Since', value: '1999' },
        ],
      ],
    },
  },
  {
    name: 'arabic',
    about: 'Arabic: the whole card is mirrored',
    apple: {
      organization: 'قهوة الحبة الزرقاء',
      title: 'نادي القهوة',
      language: 'ar',
      fromRight: true,
      fields: [
        field('header', 'النقاط', '١٬٢٤٠'),
        field('primary', 'المكافأة القادمة عند ١٬٥٠٠ نقطة', 'العضوية الفضية'),
        field('secondary', 'الاسم', 'ليلى حداد'),
        field('secondary', 'الفرع', 'Riverside 12'),
        field('auxiliary', 'عضو منذ', 'مايو ٢٠٢١'),
      ],
      images: { ...noImages, logo: pictures.cupLogo, strip: pictures.strip },
    },
    google: {
      organization: 'قهوة الحبة الزرقاء',
      title: 'نادي القهوة',
      language: 'ar',
      fromRight: true,
      rows: [
        [
          { label: 'النقاط', value: '١٬٢٤٠' },
          { label: 'المستوى', value: 'العضوية الفضية' },
        ],
        [
          { label: 'الاسم', value: 'ليلى حداد' },
          { label: 'الفرع', value: 'Riverside 12' },
        ],
        [{ label: 'عضو منذ', value: 'مايو ٢٠٢١' }],
      ],
      logo: pictures.roundCup,
      hero: pictures.hero,
    },
  },
  {
    name: 'voided',
    about: 'A voided card: its barcode must no longer be scanned',
    apple: {
      ended: 'This card is no longer valid.',
      fields: [field('header', 'Points', '0'), field('secondary', 'Name', 'Ada Lovelace')],
      images: { ...noImages, logo: pictures.cupLogo, strip: pictures.strip },
    },
    google: {
      ended: 'This card is no longer valid.',
      rows: [[{ label: 'Points', value: '0' }], [{ label: 'Name', value: 'Ada Lovelace' }]],
      logo: pictures.roundCup,
      hero: pictures.hero,
    },
  },
];
