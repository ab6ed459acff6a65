import assert from 'node:assert/strict';
import { type KeyObject, sign } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PKPass } from 'passkit-generator';
import sharp from 'sharp';
import type { AppleCard } from '../src/wallet/apple/card.ts';
import { loadSigningIdentity } from '../src/wallet/apple/certificates/certificates.ts';
import {
  createDevelopmentIdentity,
  type DevelopmentIdentity,
} from '../src/wallet/apple/certificates/development-ca.ts';
import { passJson } from '../src/wallet/apple/pass-json.ts';
import { buildPkpass, buildPkpassChunks, type PassImage, prepareImage } from '../src/wallet/apple/pkpass.ts';
import { createSigner, type PassSigner } from '../src/wallet/apple/signature.ts';
import { probeEventLoop } from './event-loop.ts';
import { type BenchResult, median, report } from './result.ts';

/**
 * Pass files a second: ours, those of passkit-generator, and the RSA-2048 signatures that the machine can make
 * at the same concurrency, which no signer of passes can exceed. All see the same card, images and certificates,
 * and take turns, so that a machine that slows down slows all of them.
 *
 * More threads want a processor than there are. The delay that this causes in the event loop is not ours: it also happens to
 * RSA alone. So the time that the loop is blocked is counted without it, as the median of each round's longest; the whole
 * delay is printed next to it.
 */
export async function bench(): Promise<BenchResult[]> {
  const setting = await prepare();
  await comparePasses(setting);
  const socket = sendBuffer(setting.images);
  const contenders = {
    library: () =>
      measure(1, ROUND_MS, async (index) => {
        libraryPass(setting, index);
        await nextTurn();
      }),
    rsa: () => measure(IN_FLIGHT, ROUND_MS, () => signature(setting.privateKey)),
    sent: () => measure(IN_FLIGHT, ROUND_MS, async (index) => socket(await ourChunks(setting, index))),
    whole: () => measure(IN_FLIGHT, ROUND_MS, (index) => ourFile(setting, index)),
    languages: () => measure(IN_FLIGHT, ROUND_MS, async (index) => socket(await inLanguages(setting, index))),
  };
  for (const run of Object.values(contenders)) await run();
  const rounds: Record<keyof typeof contenders, Round>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      library: await contenders.library(),
      rsa: await contenders.rsa(),
      sent: await contenders.sent(),
      whole: await contenders.whole(),
      languages: await contenders.languages(),
    });
  }
  const rate = (who: keyof typeof contenders) => median(rounds.map((round) => round[who].perSecond));
  const ratio = (who: keyof typeof contenders, to: keyof typeof contenders) =>
    median(rounds.map((round) => round[who].perSecond / round[to].perSecond));
  const blocked = (who: keyof typeof contenders): Pick<BenchResult, 'value' | 'unit' | 'note'> => {
    const longest = rounds.map((round) => round[who].blockedMs);
    const delays = rounds.map((round) => round[who].delayMs);
    return {
      value: median(longest),
      unit: 'ms',
      note: `worst round ${Math.max(...longest).toFixed(1)} ms; late by ${median(delays).toFixed(1)}, ${Math.max(...delays).toFixed(1)} ms`,
    };
  };
  return [
    { name: 'pass files, passkit-generator', value: rate('library'), unit: '/s', note: setting.note },
    { name: 'pass files, ours, each in one buffer', value: rate('whole'), unit: '/s' },
    { name: 'pass files, ours, written to a send buffer', value: rate('sent'), unit: '/s' },
    { name: 'RSA-2048 signatures alone', value: rate('rsa'), unit: '/s', note: `${IN_FLIGHT} in flight` },
    {
      name: 'ours (one buffer) : passkit-generator',
      value: ratio('whole', 'library'),
      unit: 'x',
      target: { min: 100 },
    },
    { name: 'ours (sent) : RSA alone', value: ratio('sent', 'rsa'), unit: 'x', target: { min: 0.8 } },
    {
      name: 'ours (one buffer) : RSA alone',
      value: ratio('whole', 'rsa'),
      unit: 'x',
      note: 'copies the images into fresh memory',
    },
    {
      name: 'ours (sent), one : three languages',
      value: ratio('sent', 'languages'),
      unit: 'x',
      target: { max: 1.3 },
    },
    { name: 'event loop blocked, ours (sent)', ...blocked('sent'), target: { max: 5 } },
    { name: 'event loop blocked, ours (one buffer)', ...blocked('whole') },
    { name: 'event loop blocked, RSA alone', ...blocked('rsa') },
    { name: 'event loop blocked, passkit-generator', ...blocked('library') },
  ];
}

const IN_FLIGHT = 64;
const ROUNDS = 9;
/** Thousands of passes: long enough to meet every kind of garbage collection, short enough to find quiet times. */
const ROUND_MS = 700;
const PASS_TYPE = 'pass.com.example.bench';
const TEAM = 'BENCH12345';

/** Width and height in pixels; with the noise below about 400 kB together. */
const IMAGES: Record<string, [number, number]> = {
  'icon.png': [29, 29],
  'icon@2x.png': [58, 58],
  'icon@3x.png': [87, 87],
  'logo@2x.png': [320, 100],
  'strip.png': [375, 123],
  'strip@2x.png': [750, 246],
};
const NOISE = { type: 'gaussian', mean: 128, sigma: 2.7 } as const;

interface Setting {
  readonly pem: DevelopmentIdentity;
  readonly privateKey: KeyObject;
  readonly signer: PassSigner;
  readonly images: readonly PassImage[];
  readonly note: string;
}

interface Round {
  readonly perSecond: number;
  readonly blockedMs: number;
  readonly delayMs: number;
}

async function prepare(): Promise<Setting> {
  const now = new Date();
  const pem = await createDevelopmentIdentity({
    passTypeIdentifier: PASS_TYPE,
    teamIdentifier: TEAM,
    organizationName: 'Bench',
    now,
  });
  const identity = loadSigningIdentity(
    { cert: pem.cert, key: pem.key, passphrase: null, wwdr: pem.wwdr },
    now,
  );
  const images = await Promise.all(
    Object.entries(IMAGES).map(async ([name, [width, height]]) => {
      const create = { width, height, channels: 3, background: 'grey', noise: NOISE } as const;
      return prepareImage(name, await sharp({ create }).png().toBuffer());
    }),
  );
  const kilobytes = images.reduce((total, { bytes }) => total + bytes.length, 0) / 1000;
  const note = `${images.length} images, ${kilobytes.toFixed(0)} kB`;
  return { pem, privateKey: identity.privateKey, signer: createSigner(identity), images, note };
}

function card(index: number): AppleCard {
  return {
    passTypeIdentifier: PASS_TYPE,
    teamIdentifier: TEAM,
    organizationName: 'Bench Coffee',
    serialNumber: `inst_${index}`,
    authenticationToken: 'vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc',
    webServiceURL: 'https://cards.example.com/apple/',
    type: 'loyalty',
    title: 'Coffee Club',
    details: 'Ten stamps make a coffee.',
    terms: 'One card per guest. No cash value.',
    words: { message: 'News', details: 'Details', terms: 'Terms' },
    message: null,
    fields: [
      {
        key: 'points',
        label: 'Points',
        value: String(index),
        section: 'header',
        changeMessage: 'You have %@ points',
      },
      { key: 'offer', label: 'Offer', value: 'Free bun', section: 'primary', changeMessage: null },
      { key: 'name', label: 'Member', value: 'Ada Lovelace', section: 'secondary', changeMessage: null },
      { key: 'tier', label: 'Tier', value: 'Gold', section: 'secondary', changeMessage: 'Welcome to %@' },
      { key: 'news', label: 'News', value: 'New roast', section: 'back', changeMessage: '%@' },
    ],
    colors: { background: '#17bb52', foreground: '#ffffff', label: '#eeeeee' },
    barcode: { format: 'qr', value: `4006381${index}`, altText: null },
    expiresAt: new Date('2030-01-01T00:00:00Z'),
    voided: false,
    locations: [{ latitude: 52.52, longitude: 13.405, relevantText: 'Coffee is near' }],
    beacons: [],
    dates: [],
    actions: [],
    options: {},
    nfc: null,
    signedAt: new Date(),
  };
}

function ourFile({ images, signer }: Setting, index: number): Promise<Buffer> {
  return buildPkpass(card(index), images, signer);
}

function ourChunks({ images, signer }: Setting, index: number): Promise<Uint8Array[]> {
  return buildPkpassChunks(card(index), images, signer);
}

/** The same with all texts in three languages. */
function inLanguages({ images, signer }: Setting, index: number): Promise<Uint8Array[]> {
  const others = ['de', 'fr'].map((language) => ({ language, card: translated(card(index), language) }));
  return buildPkpassChunks(card(index), images, signer, { own: 'en', others });
}

function translated(own: AppleCard, language: string): AppleCard {
  const words = (text: string) => `${text} (${language})`;
  const fields = own.fields.map((field) => ({ ...field, label: words(field.label) }));
  return { ...own, title: words(own.title), details: words(own.details ?? ''), fields };
}

function libraryPass({ pem, images }: Setting, index: number): Buffer {
  const files: Record<string, Buffer> = { 'pass.json': passJson(card(index)) };
  for (const { name, bytes } of images) files[name] = bytes;
  return new PKPass(files, { wwdr: pem.wwdr, signerCert: pem.cert, signerKey: pem.key }).getAsBuffer();
}

function signature(key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', SIGNED, key, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });
}

/** As long as the attributes that are signed in a pass. */
const SIGNED = Buffer.alloc(107, 1);

/** Copies every byte of a file into one buffer used again and again, as the kernel does with a socket's. */
function sendBuffer(images: readonly PassImage[]): (chunks: readonly Uint8Array[]) => void {
  const buffer = Buffer.alloc(images.reduce((total, { bytes }) => total + bytes.length, 100_000));
  return (chunks) => {
    let position = 0;
    for (const chunk of chunks) {
      buffer.set(chunk, position);
      position += chunk.length;
    }
  };
}

/** Both libraries must have packed the same images before their speed is worth comparing. */
async function comparePasses(setting: Setting): Promise<void> {
  const [library, ours, chunks] = [
    libraryPass(setting, 0),
    await ourFile(setting, 0),
    await ourChunks(setting, 0),
  ];
  for (const { name, sha1, bytes } of setting.images) {
    for (const file of [library, ours, Buffer.concat(chunks)]) {
      assert.ok(file.includes(bytes) && file.includes(`"${name}":"${sha1}"`), `${name} is missing in a pass`);
    }
  }
}

/** How often `work` completes in `forMs`, `inFlight` at a time, and how long that kept the event loop from turning. */
async function measure(
  inFlight: number,
  forMs: number,
  work: (index: number) => Promise<unknown>,
): Promise<Round> {
  const stopProbe = probeEventLoop();
  let count = 0;
  const start = performance.now();
  const end = start + forMs;
  const worker = async () => {
    while (performance.now() < end) await work(count++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: count / seconds, ...stopProbe() };
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
