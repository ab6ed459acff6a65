#!/usr/bin/env bash
# Software: zxing-wasm 3.1.4 (npm, zxing-cpp), bwip-js 4.11.4 and sharp 0.35.5 (npm), which draw the code.
# Input:    a picture of one ITF of 16 digits (Interleaved 2 of 5), turned by 12°. Valid, and its digits are read.
# Expected: one code, as of every other kind of bars that is turned: the parts of it that a line crosses are no codes.
# Seen:     the whole code, and next to it shorter ones made of its first or last digits, which two or three lines agree on: an ITF ends
#           with a wide bar and a narrow one, which the edge of a tilted one makes of its middle. Nothing in a result says so but `lineCount`,
#           and an option for the fewest lines (`minLineCount`, 2 where it is left out) is the only help.
# So here:  an ITF counts that twelve lines of a picture agree on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --prefix . zxing-wasm@3.1.4 bwip-js@4.11.4 sharp@0.35.5 >/dev/null
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { toSVG } from 'bwip-js';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
const file = new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(file)).buffer } });
for (const [bcid, text] of [['interleaved2of5', '1234567890123456'], ['code128', '1234567890123456']]) {
  const svg = toSVG({ bcid, text, height: 12, scale: 3, padding: 10, backgroundcolor: 'ffffff' });
  const turned = await sharp(Buffer.from(svg), { density: 144 }).rotate(12, { background: 'white' }).png().toBuffer();
  const found = await readBarcodes(new Uint8Array(turned), { formats: ['ITF', 'Code128'] });
  console.log(`${bcid}: ${found.map((one) => one.text).sort().join(' ')}`);
}
JS
seen=$(node run.mjs)
printf '%s\n' "$seen"
[ "$seen" = 'interleaved2of5: 1234 1234567890 123456789012 12345678901234 1234567890123456 7890123456
code128: 1234567890123456' ]
