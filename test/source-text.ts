/** A stretch of TypeScript source: program text, or something that only looks like it. */
interface Piece {
  readonly kind: 'code' | 'comment' | 'string' | 'pattern';
  readonly text: string;
  readonly at: number;
}

/** A string literal without placeholders, unquoted. */
export interface Literal {
  readonly value: string;
  readonly line: number;
}

/** One `import … from` or `export … from`. */
export interface Import {
  /** As written. */
  readonly from: string;
  readonly names: readonly string[];
  /** Nothing of it is left when the program runs. */
  readonly typeOnly: boolean;
  readonly line: number;
}

/** The source with comments, strings and patterns blanked; every line and column stays where it was. */
export const codeOf = remembered((source) => blank(source, ['comment', 'string', 'pattern']));

/** The source with comments blanked. */
export const uncommented = remembered((source) => blank(source, ['comment']));

/** The texts of the source's comments. */
export function commentsOf(source: string): Literal[] {
  return found(source, 'comment').map(({ text, at }) => ({ value: text, line: lineOf(source, at) }));
}

/** The string literals of the source. A template counts when it has no placeholder. */
export function literalsOf(source: string): Literal[] {
  return found(source, 'string')
    .filter(({ text }) => text.length > 1 && /^['"`]/.test(text) && text.at(0) === text.at(-1))
    .map(({ text, at }) => ({ value: text.slice(1, -1), line: lineOf(source, at) }));
}

/** What the source imports, type-only and dynamic imports included. */
export const importsOf = remembered((source): readonly Import[] => {
  const text = uncommented(source);
  const statements = [
    ...text.matchAll(/^(?:import|export)\s+(type\s+)?([\w*{][^;'"]*?)\s*from\s*(['"])([^'"]+)\3/gm),
  ].map((match) => {
    const [, type, clause = '', , from = ''] = match;
    const names = [...clause.matchAll(/(type\s+)?([\w*]+)(?:\s+as\s+\w+)?/g)];
    const typeOnly = type !== undefined || (clause.startsWith('{') && names.every((name) => name[1]));
    return {
      from,
      names: names.map((name) => name[2] ?? ''),
      typeOnly,
      line: lineOf(source, match.index),
    };
  });
  const bare = [...text.matchAll(/(?:^import\s+|\bimport\()\s*(['"])([^'"]+)\1/gm)].map((match) => ({
    from: match[2] ?? '',
    names: [],
    typeOnly: false,
    line: lineOf(source, match.index),
  }));
  return [...statements, ...bare];
});

/** The line, counted from 1, of a position. */
export function lineOf(source: string, at: number): number {
  return source.slice(0, at).split('\n').length;
}

/** The function with its answers kept: rules ask the same of a source over and over. */
function remembered<Answer>(read: (source: string) => Answer): (source: string) => Answer {
  const answers = new Map<string, Answer>();
  return (source) => {
    const known = answers.get(source);
    if (known !== undefined) return known;
    const answer = read(source);
    answers.set(source, answer);
    return answer;
  };
}

function found(source: string, kind: Piece['kind']): Piece[] {
  return pieces(source).filter((piece) => piece.kind === kind);
}

function blank(source: string, kinds: readonly Piece['kind'][]): string {
  return pieces(source)
    .map(({ kind, text }) => (kinds.includes(kind) ? text.replace(/[^\n]/g, ' ') : text))
    .join('');
}

const tokens = {
  comment: /\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
  string: /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y,
  pattern: /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y,
  /** From a backtick, or from the brace that ends a placeholder, to the next of either kind. */
  template: /[`}](?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y,
};

/**
 * Splits a source. It knows exactly as much of the language as that takes: a slash begins a pattern where no
 * operand stands before it.
 */
const pieces = remembered((source): readonly Piece[] => {
  const list: Piece[] = [];
  /** Of every placeholder that is open: how many braces its code has open. */
  const placeholders: number[] = [];
  let codeFrom = 0;
  let at = 0;

  function take(kind: Piece['kind'], token: RegExp): string | null {
    token.lastIndex = at;
    const text = token.exec(source)?.[0];
    if (text === undefined) return null;
    if (codeFrom < at) list.push({ kind: 'code', text: source.slice(codeFrom, at), at: codeFrom });
    list.push({ kind, text, at });
    at += text.length;
    codeFrom = at;
    return text;
  }

  while (at < source.length) {
    const char = source.charAt(at);
    const depth = placeholders.at(-1);
    if (char === '`' || (char === '}' && depth === 0)) {
      if (char === '}') placeholders.pop();
      const text = take('string', tokens.template);
      if (text === null) throw new Error(`an unfinished template in line ${lineOf(source, at)}`);
      if (text.endsWith('${')) placeholders.push(0);
      continue;
    }
    if (char === '/' && take('comment', tokens.comment) !== null) continue;
    if ((char === "'" || char === '"') && take('string', tokens.string) !== null) continue;
    if (char === '/' && !endsWithOperand(source.slice(codeFrom, at), list)) {
      if (take('pattern', tokens.pattern) !== null) continue;
    }
    if (depth !== undefined && char === '{') placeholders.splice(-1, 1, depth + 1);
    if (depth !== undefined && char === '}') placeholders.splice(-1, 1, depth - 1);
    at += 1;
  }
  if (codeFrom < at) list.push({ kind: 'code', text: source.slice(codeFrom), at: codeFrom });
  return list;
});

function endsWithOperand(code: string, before: readonly Piece[]): boolean {
  const text = code.trimEnd();
  if (text === '') {
    const last = before.findLast((piece) => piece.kind !== 'comment');
    return last !== undefined && last.kind !== 'code';
  }
  if (/\b(?:return|typeof|case|in|of|await|yield|throw)$/.test(text)) return false;
  return /[\w$)\]}]$/.test(text);
}
