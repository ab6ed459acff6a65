#!/usr/bin/env bash
# Software: libphonenumber-js 1.13.16 (npm), default (min) metadata.
# Expected: a "tel:" URI of RFC 3966 with an extension, "tel:+49-171-1234567;ext=12", is read without further options, as the
#   same URI with a ";phone-context=" is, and as "+49 171 1234567 ext. 12" is.
# What it does: with `extract: false`, where the text is to be a number and nothing else, the URI with ";ext=" is no number, the one with
#   ";phone-context=" is one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund libphonenumber-js@1.13.16
cat > try.mjs <<'JS'
import { parsePhoneNumberFromString as parse } from 'libphonenumber-js';
const texts = ['tel:+49-171-1234567;ext=12', 'tel:171-1234567;phone-context=+49', '+49 171 1234567 ext. 12'];
const seen = texts.map((text) => `${text} -> ${parse(text, { extract: false })?.number}`);
console.log(seen.join('\n'));
const as = [`${texts[0]} -> undefined`, `${texts[1]} -> +491711234567`, `${texts[2]} -> +491711234567`];
process.exit(seen.join() === as.join() ? 0 : 1);
JS
node try.mjs
