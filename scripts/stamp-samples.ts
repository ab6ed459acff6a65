import {
  sampleField as field,
  pictures,
  plainApple,
} from '../src/rendering/previews/sample-cards.fixture.ts';
import type { Sample } from './preview-samples.ts';

const noImages = plainApple.images;
const look = { over: 'image', icon: 'cup', color: '#f2c14e' } as const;

/** Stamps on both wallets, plain and on a picture. */
export const stampSamples: readonly Sample[] = [
  {
    name: 'stamps',
    about: 'The stamps of a program, drawn by the service',
    apple: {
      colors: { background: '#f4e3cf', foreground: '#5a2a1b', label: '#7d4a36' },
      stamps: { filled: 7, threshold: 10 },
      fields: [
        field('header', 'Stamps', '7 of 10'),
        field('secondary', 'Reward', 'A flat white: 10 stamps'),
        field('secondary', 'Tier', 'Silver'),
      ],
      images: { ...noImages },
    },
    google: {
      colors: { background: '#f4e3cf', foreground: '#5a2a1b', label: '#7d4a36' },
      stamps: { filled: 7, threshold: 10 },
      rows: [
        [{ label: 'Stamps', value: '7 of 10' }],
        [
          { label: 'Reward', value: 'A flat white: 10 stamps' },
          { label: 'Tier', value: 'Silver' },
        ],
      ],
    },
  },
  {
    name: 'stamps-on-picture',
    about: 'The same on the picture of its shop, with cups in colours of their own',
    apple: {
      stamps: { filled: 7, threshold: 10, look },
      fields: [field('header', 'Stamps', '7 of 10'), field('secondary', 'Reward', 'A flat white: 10 stamps')],
      images: { ...noImages, logo: pictures.cupLogo, strip: pictures.strip },
    },
    google: {
      stamps: { filled: 7, threshold: 10, look },
      rows: [
        [{ label: 'Stamps', value: '7 of 10' }],
        [{ label: 'Reward', value: 'A flat white: 10 stamps' }],
      ],
      logo: pictures.roundCup,
      hero: pictures.hero,
    },
  },
];
