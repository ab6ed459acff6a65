#!/usr/bin/env bash
# Software: libphonenumber-js 1.13.16 (npm), all metadata sets.
# Expected: "+52 1 55 1234 5678", as Mexican mobile numbers were written until 2019 and as address books and messengers still have
#   them, is read as the number that is dialled today, +525512345678, or is refused. The national form with the prefix of that
#   time, "044 55 1234 5678", likewise.
# What it does: the 1 and the 044 become part of the number. Two spellings of one telephone are two E.164 numbers
#   (+5215512345678, +520445512345678), with isValid() false; a program that does not ask for validity keeps both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund libphonenumber-js@1.13.16
cat > try.mjs <<'JS'
import { parsePhoneNumberFromString as parse } from 'libphonenumber-js/max';
const seen = [['+52 55 1234 5678'], ['+52 1 55 1234 5678'], ['044 55 1234 5678', 'MX']].map(([text, country]) => {
  const found = parse(text, country);
  return `${text} -> ${found?.number} valid: ${found?.isValid()}`;
});
console.log(seen.join('\n'));
const as = [
  '+52 55 1234 5678 -> +525512345678 valid: true',
  '+52 1 55 1234 5678 -> +5215512345678 valid: false',
  '044 55 1234 5678 -> +520445512345678 valid: false',
];
process.exit(seen.join() === as.join() ? 0 : 1);
JS
node try.mjs
