#!/usr/bin/env bash
# Software:  passkit-generator 3.6.1 (npm), pass.strings of a template and localize()
# Expected:  translations of a template are kept whatever blanks are around "=", which the format leaves free, and a quotation mark in a
#            translation is written as \", so that the file can be read.
# Seen:      pairs without blanks around "=" are dropped without a word, and quotation marks are written as they are, so that the text
#            ends at the first of them.
# So here:   strings are escaped where they are written, and foreign files are read by the grammar of the format.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --prefix . passkit-generator@3.6.1 >/dev/null
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 30 -subj "/CN=Example/OU=TEAM123456" 2>/dev/null
cat > run.mjs <<'JS'
import { readFileSync, writeFileSync } from 'node:fs';
import { PKPass } from 'passkit-generator';
const pem = (name) => readFileSync(`${name}.pem`);
const icon = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==', 'base64');
const pass = {
  formatVersion: 1,
  passTypeIdentifier: 'pass.com.example.card',
  teamIdentifier: 'TEAM123456',
  organizationName: 'Example',
  serialNumber: '1',
  description: 'Card',
  generic: {},
};
const files = {
  'pass.json': Buffer.from(JSON.stringify(pass)),
  'icon.png': icon,
  'de.lproj/pass.strings': Buffer.from('"Level" = "Stufe";\n"Reward"="Praemie";\n'),
};
const made = new PKPass(files, { wwdr: pem('cert'), signerCert: pem('cert'), signerKey: pem('key') }, {});
made.localize('de', { Card: 'Karte "Gold"' });
writeFileSync('card.pkpass', made.getAsBuffer());
JS
node run.mjs
seen=$(python3 -c 'import zipfile; print(zipfile.ZipFile("card.pkpass").read("de.lproj/pass.strings").decode())')
printf '%s\n' "$seen"
[ "$seen" = '"Level" = "Stufe";
"Card" = "Karte "Gold"";' ]
