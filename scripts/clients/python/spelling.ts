import { pythonWords } from '../../../tools/docs-site/samples/python.ts';

/** `passId`, `insufficient_points` → `PassId`, `InsufficientPoints` */
export function pascal(name: string): string {
  return name.replace(/(?:^|_|-)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Whether a key can be written as an attribute. */
export function isPlain(key: string): boolean {
  return /^[A-Za-z_]\w*$/.test(key) && !pythonWords.has(key);
}

/** The longest line of what is printed. */
const width = 120;

/** A docstring of paragraphs, wrapped, indented by this many spaces. */
export function docstring(paragraphs: readonly string[], indent: number): string[] {
  const margin = ' '.repeat(indent);
  const said = paragraphs.filter((paragraph) => paragraph !== '');
  const lines = said.flatMap((paragraph, index) => [
    ...(index === 0 ? [] : ['']),
    ...paragraph.split('\n').flatMap((line) => wrapped(escaped(line), width - indent)),
  ]);
  const [only] = lines;
  if (only === undefined) return [];
  if (lines.length === 1 && only.length < width - indent - 6 && !only.endsWith('"'))
    return [`${margin}"""${only}"""`];
  return [`${margin}"""`, ...lines.map((line) => (line === '' ? '' : margin + line)), `${margin}"""`];
}

/** Wraps lines at this length; the continuation of an argument is indented further. */
function wrapped(text: string, most: number): string[] {
  const margin = text.match(/^ */)?.[0] ?? '';
  const further = /^ +\w+: /.test(text) ? `${margin}    ` : margin;
  const lines: string[] = [];
  let line = '';
  for (const word of text.trim().split(/ +/)) {
    const longer = line === '' ? margin + word : `${line} ${word}`;
    if (longer.length > most && line !== '') {
      lines.push(line);
      line = further + word;
    } else line = longer;
  }
  return [...lines, line];
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
}

/** `head` + parts + `tail` on one line where they fit, else a part on each. */
export function spread(head: string, parts: readonly string[], tail: string, indent: number): string[] {
  const margin = ' '.repeat(indent);
  const short = `${margin}${head}${parts.join(', ')}${tail}`;
  if (short.length <= width) return [short];
  return [
    `${margin}${head}`,
    ...parts
      .flatMap((part) => folded(part, indent + 4))
      .map((line) => (/[[{(,]$/.test(line) ? line : `${line},`)),
    `${margin}${tail}`,
  ];
}

/** A declaration whose list of words, or a dict whose entries, take several lines where one is too short. */
export function folded(text: string, indent: number): string[] {
  const margin = ' '.repeat(indent);
  const [, head, list, tail] = text.match(/^(.*?(?:Literal\[|=\{))([^\]}]*)([\]}].*)$/) ?? [];
  if (indent + text.length < width || head === undefined || list === undefined) return [margin + text];
  return [margin + head, ...list.split(', ').map((entry) => `${margin}    ${entry},`), `${margin}${tail}`];
}
