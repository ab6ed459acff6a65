import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { barcodeSvg } from '../src/rendering/barcode-svg.ts';
import { type BarcodeFormat, isLinear } from '../src/wallet/barcode-format.ts';

/** A code that a phone shows to a camera; null is an empty counter. */
export type Shown = { readonly format: BarcodeFormat; readonly value: string } | null;

/** A picture and its number of frames, of which a camera makes 30 a second. */
export interface Scene {
  readonly shown: Shown;
  readonly frames: number;
}

/** The pixels of a camera's picture. */
const width = 1280;
const height = 720;
/** The pixels of the phone's front. */
const phoneWidth = 540;
const phoneHeight = 1000;

/**
 * Writes what Chromium takes for its camera, over and over (`--use-file-for-fake-video-capture`): a phone in a hand, at an
 * angle, with a reflection on its screen, and the noise of a small sensor.
 */
export async function writeFilm(path: string, scenes: readonly Scene[]): Promise<void> {
  const frames: Buffer[] = [];
  for (const { shown, frames: count } of scenes) {
    // The hand is never quite still.
    const seen = await Promise.all([0, 1, 2].map((turn) => cameraPicture(shown, turn)));
    for (let at = 0; at < count; at++) frames.push(seen[at % seen.length] as Buffer);
  }
  await writeFile(path, Buffer.concat(frames));
}

/** A picture of the camera as JPEG; `turn` moves the hand a little. */
export async function cameraPicture(shown: Shown, turn = 0): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  const phone = shown === null ? null : await phoneFront(shown);
  const corners: Point[] = [
    [0, 0],
    [phoneWidth, 0],
    [phoneWidth, phoneHeight],
    [0, phoneHeight],
  ];
  const toPhone = homography(
    corners.map((corner) => inPicture(corner, turn)),
    corners,
  );
  const random = randomFrom(turn + 1);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [phoneX, phoneY] = phone === null ? [-1, -1] : toPhone(x, y);
      // A lamp in the screen, and a room that is darker at its edges.
      const glare = 70 * Math.exp(-((x - 520) ** 2 / 12_000 + (y - 250) ** 2 / 26_000));
      const light = 0.92 - 0.25 * ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * 2;
      const noise = (random() + random() + random() - 1.5) * 22;
      for (let channel = 0; channel < 3; channel++, at++) {
        const inFront = phone === null ? null : sample(phone, phoneX, phoneY, channel);
        const color = inFront === null ? (counter[channel] ?? 0) : inFront * 0.86 + 14 + glare;
        pixels[at] = Math.max(0, Math.min(255, color * light + noise));
      }
    }
  }
  // No lens is sharp to a pixel.
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .blur(0.7)
    .jpeg({ quality: 82 })
    .toBuffer();
}

/** Where a point of the phone is in the picture: its code near the middle, turned by 12°, its top farther away. */
function inPicture([x, y]: Point, turn: number): Point {
  const angle = (12 * Math.PI) / 180;
  const [across, down] = [(x - phoneWidth / 2) * 1.45, (y - 710) * 1.45];
  const turnedX = across * Math.cos(angle) - down * Math.sin(angle);
  const turnedY = across * Math.sin(angle) + down * Math.cos(angle);
  const depth = 1 - turnedY / 3_300 + turnedX / 6_600;
  return [640 + turn * 3 + turnedX / depth, 400 + turn * 2 + turnedY / depth];
}

const counter = [116, 92, 70];

/** A card as a phone's wallet shows it. */
async function phoneFront({ format, value }: NonNullable<Shown>): Promise<Buffer> {
  const code = barcodeSvg(format, value);
  const wide = isLinear(format) || format === 'pdf417';
  const [codeWidth, codeHeight] = wide ? [440, 150] : [300, 300];
  const drawn = await sharp(Buffer.from(code), { density: 400 })
    .resize(codeWidth, codeHeight, { fit: isLinear(format) ? 'fill' : 'contain', background: 'white' })
    .png()
    .toBuffer();
  const front = `<svg xmlns="http://www.w3.org/2000/svg" width="${phoneWidth}" height="${phoneHeight}">
    <rect width="100%" height="100%" rx="60" fill="#101114"/>
    <rect x="18" y="18" width="504" height="964" rx="46" fill="#f3f1ec"/>
    <rect x="40" y="120" width="460" height="720" rx="26" fill="#1b4d3e"/>
    <rect x="70" y="160" width="220" height="34" rx="8" fill="#e9f0ea"/>
    <rect x="70" y="240" width="140" height="16" rx="6" fill="#9fc0b0"/>
    <rect x="70" y="270" width="320" height="40" rx="8" fill="#e9f0ea"/>
    <rect x="50" y="${820 - codeHeight - 40}" width="440" height="${codeHeight + 30}" rx="14" fill="#fff"/>
  </svg>`;
  return sharp(Buffer.from(front))
    .composite([{ input: drawn, left: (phoneWidth - codeWidth) / 2, top: 820 - codeHeight - 25 }])
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** The colour between the pixels of the phone; null outside it. */
function sample(pixels: Buffer, x: number, y: number, channel: number): number | null {
  if (x < 0 || y < 0 || x >= phoneWidth - 1 || y >= phoneHeight - 1) return null;
  const left = Math.floor(x);
  const top = Math.floor(y);
  const pixel = (column: number, row: number) => pixels[(row * phoneWidth + column) * 3 + channel] ?? 0;
  const [right, down] = [x - left, y - top];
  const above = pixel(left, top) * (1 - right) + pixel(left + 1, top) * right;
  const below = pixel(left, top + 1) * (1 - right) + pixel(left + 1, top + 1) * right;
  return above * (1 - down) + below * down;
}

type Point = readonly [x: number, y: number];

/** The projection that takes four points to four others. */
function homography(from: readonly Point[], to: readonly Point[]): (x: number, y: number) => Point {
  const rows = from.flatMap(([x, y], at) => {
    const [u, v] = to[at] as Point;
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = solve(rows);
  return (x, y) => {
    const depth = g * x + h * y + 1;
    return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
  };
}

/** What solves linear equations, whose last column is the right side. */
function solve(rows: number[][]): number[] {
  for (let column = 0; column < rows.length; column++) {
    const best = rows.findIndex(
      (row, at) =>
        at >= column &&
        rows.slice(column).every((other) => Math.abs(other[column] ?? 0) <= Math.abs(row[column] ?? 0)),
    );
    [rows[column], rows[best]] = [rows[best] as number[], rows[column] as number[]];
    const pivot = rows[column] as number[];
    for (const [at, row] of rows.entries()) {
      const share = at === column ? 0 : (row[column] ?? 0) / (pivot[column] ?? 1);
      for (let k = column; k < row.length; k++) row[k] = (row[k] ?? 0) - share * (pivot[k] ?? 0);
    }
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1));
}

/** The same numbers from 0 to 1 each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
