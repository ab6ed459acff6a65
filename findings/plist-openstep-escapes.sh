#!/usr/bin/env bash
# Software:  plist 5.0.0 (npm), parseOpenStep
# Expected:  "\U00e9" in a quoted string of an old-style property list is é, "\101" is A, as Apple's own parser reads them; a .strings
#            file, which is the same format without the outer braces, gives its pairs.
# Seen:      the backslash is dropped and the digits stay ("caf\U00e9" gives "cafU00e9"); of a .strings file only the first key is
#            returned, as a string, without an error.
# So here:   pass.strings is read by a reader of our own; this package reads only property lists in XML and in binary.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --prefix . plist@5.0.0 >/dev/null
cat > run.mjs <<'JS'
import { parseOpenStep } from 'plist';
console.log(JSON.stringify(parseOpenStep(String.raw`{ "one" = "caf\U00e9"; "two" = "\101"; }`)));
console.log(JSON.stringify(parseOpenStep('"one" = "1";\n"two" = "2";\n')));
JS
seen=$(node run.mjs)
printf '%s\n' "$seen"
[ "$seen" = '{"one":"cafU00e9","two":"101"}
"one"' ]
