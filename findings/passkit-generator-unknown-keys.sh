#!/usr/bin/env bash
# Software:  passkit-generator 3.6.1 (npm), pass.json of a template
# Expected:  a key of the format that the library does not know yet, such as logoSymbolName (iOS 27), is kept as it is, refused, or at
#            least named on the console, as whatever else the library rejects.
# Seen:      the key is missing in the pass that is made of the template, and nothing is said; its neighbours are kept.
# So here:   our own writer sends what a design has, our validator names keys that it does not know, and what another reader
#            gives back of our files is compared key by key.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --prefix . passkit-generator@3.6.1 >/dev/null
cat > run.mjs <<'JS'
import { PKPass } from 'passkit-generator';
const pass = {
  formatVersion: 1,
  passTypeIdentifier: 'pass.com.example.card',
  teamIdentifier: 'TEAM123456',
  organizationName: 'Example',
  serialNumber: '1',
  description: 'Card',
  logoText: 'Example',
  logoSymbolName: 'music.note',
  groupingIdentifier: 'cards',
  generic: { backFields: [{ key: 'level', label: 'Level', value: 'Gold' }] },
};
const said = [];
console.warn = (...all) => said.push(all.join(' '));
const { props } = new PKPass({ 'pass.json': Buffer.from(JSON.stringify(pass)) });
const missing = Object.keys(pass).filter((key) => !(key in props));
console.log('missing:', missing.join(' '));
console.log('warnings:', said.length);
JS
seen=$(node run.mjs)
printf '%s\n' "$seen"
[ "$seen" = 'missing: logoSymbolName
warnings: 0' ]
