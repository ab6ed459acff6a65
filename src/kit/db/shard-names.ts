/** What tables are called on a node, by their names. */
export interface Names {
  /** The shards of distributed tables that hold the rows of some tenants. */
  readonly shards: ReadonlyMap<string, string>;
  /** The node's copies of tables that are everywhere: right to read, and neither to lock nor to write. */
  readonly copies: ReadonlyMap<string, string>;
  /** Tables of the coordinator that nodes ask it for. */
  readonly others: ReadonlySet<string>;
  /** The column that says whose a row is. A statement about the rows of all others has another sign than = behind it. */
  readonly by: string;
}

/**
 * A statement as it asks one shard of each table: the names of tables are replaced, and the tables are called in it as before.
 * A name that is not seen to be a table's stays, and leads to the whole table, which is as right.
 */
export function withShardNames(text: string, { shards, copies, others, by }: Names): string {
  if (new RegExp(`\\b${by}\\b"?\\s*(?:<>|!=)`).test(text)) return text;
  const tokens = [...text.matchAll(token)].map(([word]) => word);
  const isSpace = (word: string) => /^(?:\s|--|\/\*)/.test(word);
  const step = (from: number, by: 1 | -1) => {
    let at = from + by;
    while (tokens[at] !== undefined && isSpace(tokens[at] as string)) at += by;
    return at;
  };
  const wordAt = (at: number) => (tokens[at] ?? '').toLowerCase();
  const parts = new Set(partsOf(tokens, step));
  const locks = /\bfor\s+(?:no\s+key\s+update|update|key\s+share|share)\b/i.test(text);
  let said = '';
  for (const [at, word] of tokens.entries()) {
    const name = nameOf(word);
    const before = wordAt(step(at, -1));
    const after = step(at, 1);
    const isTarget = before === 'into' || before === 'update' || (before === 'from' && isDelete(at));
    const isOther = others.has(name ?? '') || ((locks || isTarget) && copies.has(name ?? ''));
    const shard = shards.get(name ?? '') ?? copies.get(name ?? '');
    const isTable = beforeTables.has(before) && (isTarget || !parts.has(name ?? ''));
    // One statement asks either shards or the cluster.
    if (isOther && isTable) return text;
    if (shard === undefined || !isTable || wordAt(after) === '.') said += word;
    else if (isAlias(tokens[after])) said += shard;
    else said += `${shard} as ${word}`;
  }
  return said;

  function isDelete(at: number): boolean {
    return wordAt(step(step(at, -1), -1)) === 'delete';
  }
}

/** Comments, texts, names in quotes, words, spaces, and any other sign by itself. */
const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|[a-z_][a-z0-9_$]*|\s+|[\s\S]/gi;

/** What a statement calls by names of its own: `name as (…)`, or `name (columns) as (…)`. */
function* partsOf(tokens: readonly string[], step: (from: number, by: 1 | -1) => number): Generator<string> {
  for (const [at, word] of tokens.entries()) {
    if (word.toLowerCase() !== 'as') continue;
    let next = step(at, 1);
    while (['not', 'materialized'].includes(tokens[next]?.toLowerCase() ?? '')) next = step(next, 1);
    if (tokens[next] !== '(') continue;
    let before = step(at, -1);
    if (tokens[before] === ')') {
      while (before >= 0 && tokens[before] !== '(') before--;
      before = step(before, -1);
    }
    const name = nameOf(tokens[before] ?? '');
    if (name !== null) yield name;
  }
}

function nameOf(word: string): string | null {
  if (/^[a-z_]/i.test(word)) return word.toLowerCase();
  return word.startsWith('"') ? word.slice(1, -1) : null;
}

function isAlias(word: string | undefined): boolean {
  const name = nameOf(word ?? '');
  return name !== null && !behindTables.has(name);
}

const beforeTables = new Set(['from', 'join', 'into', 'update', 'using', 'only']);

/** Words that follow a table which has no other name. */
const behindTables = new Set(
  `cross default except fetch for full group having inner intersect join left limit natural offset on order overriding
  returning right select set tablesample union using values where window with`.split(/\s+/),
);
