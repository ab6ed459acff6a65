#!/usr/bin/env bash
# Software: zbar-tools 0.23.92 (Debian 12, zbarimg), bwip-js 4.11.4 (npm), which draws the codes.
# Input: a QR code that holds the bytes of "20°C" in UTF-8, and another that says so by ECI 26. Both are valid.
# Expected: "20°C" of both: the bytes C2 B0 are valid UTF-8. A code in Latin-1, the character set of QR where none is named, too.
# What it does: without ECI, zbar takes the bytes for Chinese characters of Big5: "20簞C" of UTF-8, and "20蚓" of Latin-1, where
# a letter of ASCII is swallowed. Only the code that names its character set is read as it was written.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v zbarimg >/dev/null || apt-get install -y --no-install-recommends zbar-tools >/dev/null
npm install --silent --no-save bwip-js@4.11.4 >/dev/null
cat >draw.cjs <<'JS'
const { writeFileSync } = require('node:fs');
const { toBuffer } = require('bwip-js');
const draw = async (name, options) =>
  writeFileSync(name, await toBuffer({ bcid: 'qrcode', scale: 6, padding: 24, backgroundcolor: 'ffffff', ...options }));
(async () => {
  await draw('latin1.png', { text: '20\u00b0C', binarytext: true });
  await draw('utf8.png', { text: '20\u00c2\u00b0C', binarytext: true });
  await draw('eci.png', { text: '^ECI00002620\u00b0C', parsefnc: true });
})();
JS
node draw.cjs
for name in latin1 utf8 eci; do
  declare "$name=$(zbarimg -q --raw "$name.png")"
  echo "$name: ${!name}"
done
[ "$latin1" = '20蚓' ] && [ "$utf8" = '20簞C' ] && [ "$eci" = '20°C' ]
