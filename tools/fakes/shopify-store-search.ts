/** Says whether an object is found; `ask` gives its value for a field of the search. */
export type Search = (ask: (field: string) => SearchValue) => boolean;

export type SearchValue = string | number | boolean | Date | null;

/** A search that was read. */
export interface ParsedSearch {
  readonly matches: Search;
  /** Nothing with this number or a smaller one is found. */
  readonly idsAbove: number;
  /** The platform leaves out terms that it does not know, and finds more. */
  readonly warnings: readonly { readonly field: string; readonly message: string; readonly code: string }[];
}

type Comparison = ':' | ':>' | ':>=' | ':<' | ':<=';

type Node =
  | { readonly kind: 'term'; readonly field: string; readonly comparison: Comparison; readonly value: string }
  | { readonly kind: 'word'; readonly value: string }
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly Node[] }
  | { readonly kind: 'not'; readonly node: Node };

const tokens =
  /\s+|(?<mark>[()])|(?<minus>-(?=\S))|(?<field>[A-Za-z_][\w.]*)(?<comparison>:(?:>=|<=|>|<)?)(?:'(?<single>(?:\\.|[^'\\])*)'|"(?<double>(?:\\.|[^"\\])*)"|(?<bare>[^\s()]+))|(?<word>"[^"]*"|[^\s()]+)/gy;

/**
 * Reads the search syntax of the Admin API: terms such as `id:>12` and `updated_at:>='2026-01-01'`, put together with
 * AND, OR, NOT and brackets. Two terms side by side are an AND.
 */
export function parseSearch(text: string, fields: readonly string[]): ParsedSearch {
  const found = [...text.matchAll(tokens)]
    .map(({ groups = {} }) => groups)
    .filter((groups) => !isSpace(groups));
  const warnings: ParsedSearch['warnings'][number][] = [];
  let at = 0;

  function alternatives(): Node {
    const nodes = [conjunction()];
    while (takesWord('OR')) nodes.push(conjunction());
    const [only, ...more] = nodes;
    return only !== undefined && more.length === 0 ? only : { kind: 'or', nodes };
  }

  function conjunction(): Node {
    const nodes: Node[] = [];
    while (at < found.length && found[at]?.mark !== ')' && found[at]?.word !== 'OR') {
      if (!takesWord('AND')) nodes.push(single());
    }
    return { kind: 'and', nodes };
  }

  function single(): Node {
    const token = found[at++];
    if (token?.minus !== undefined || token?.word === 'NOT') return { kind: 'not', node: single() };
    if (token?.mark === '(') {
      const node = alternatives();
      at++;
      return node;
    }
    const { field, comparison, single: quoted, double, bare } = token ?? {};
    if (field === undefined || comparison === undefined) return { kind: 'word', value: token?.word ?? '' };
    if (fields.includes(field)) {
      const value = quoted ?? double ?? bare ?? '';
      return { kind: 'term', field, comparison: comparison as Comparison, value };
    }
    warnings.push({ field, message: 'Invalid search field for this query.', code: 'invalid_field' });
    return { kind: 'and', nodes: [] };
  }

  function takesWord(word: string): boolean {
    if (found[at]?.word !== word) return false;
    at++;
    return true;
  }

  const node = alternatives();
  return { matches: compile(node), idsAbove: lowestId(node), warnings };
}

function isSpace(groups: Record<string, string | undefined>): boolean {
  return Object.values(groups).every((value) => value === undefined);
}

function compile(node: Node): Search {
  switch (node.kind) {
    case 'and': {
      const parts = node.nodes.map(compile);
      return (ask) => parts.every((part) => part(ask));
    }
    case 'or': {
      const parts = node.nodes.map(compile);
      return (ask) => parts.some((part) => part(ask));
    }
    case 'not': {
      const part = compile(node.node);
      return (ask) => !part(ask);
    }
    case 'word':
      return (ask) =>
        `${ask('email') ?? ''} ${ask('name') ?? ''}`.toLowerCase().includes(node.value.toLowerCase());
    default:
      return compileTerm(node);
  }
}

function compileTerm({ field, comparison, value }: Extract<Node, { kind: 'term' }>): Search {
  const time = Date.parse(value);
  return (ask) => {
    const actual = ask(field);
    if (actual === null) return false;
    if (actual instanceof Date) return compares(actual.getTime(), comparison, time);
    if (typeof actual === 'number') return compares(actual, comparison, Number(value));
    return comparison === ':' && String(actual).toLowerCase() === value.toLowerCase();
  };
}

function compares(actual: number, comparison: Comparison, value: number): boolean {
  switch (comparison) {
    case ':>':
      return actual > value;
    case ':>=':
      return actual >= value;
    case ':<':
      return actual < value;
    case ':<=':
      return actual <= value;
    default:
      return actual === value;
  }
}

/** So that a search for what comes behind need not look at what comes before. */
function lowestId(node: Node): number {
  if (node.kind === 'and') return Math.max(-1, ...node.nodes.map(lowestId));
  if (node.kind !== 'term' || node.field !== 'id') return -1;
  if (node.comparison === ':>') return Number(node.value);
  return node.comparison === ':>=' || node.comparison === ':' ? Number(node.value) - 1 : -1;
}
