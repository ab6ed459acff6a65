#!/usr/bin/env bash
# Software: libphonenumber-js 1.13.16 (npm), default (min) metadata.
# Expected: E.164 allows 15 digits at most, so "+4917112345678901" (16 digits) is no E.164 number; and a German number with its
#   country code but without the plus, "49171 1234567", is read as +491711234567, as the same library does it for other countries.
# What it does: both are valid German numbers. The first has a property `number`, documented as the number in E.164, of 16 digits; the
#   second becomes +49491711234567, since German numbers may have up to 15 digits after the country code in its metadata.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund libphonenumber-js@1.13.16
cat > try.mjs <<'JS'
import { parsePhoneNumberFromString as parse } from 'libphonenumber-js';
const seen = [['+4917112345678901', undefined], ['49171 1234567', 'DE'], ['44 7911 123456', 'GB']].map(([text, country]) => {
  const found = parse(text, country);
  return `${text} -> ${found?.number} valid: ${found?.isValid()}`;
});
console.log(seen.join('\n'));
const as = [
  '+4917112345678901 -> +4917112345678901 valid: true',
  '49171 1234567 -> +49491711234567 valid: true',
  '44 7911 123456 -> +447911123456 valid: true',
];
process.exit(seen.join() === as.join() ? 0 : 1);
JS
node try.mjs
