/** A request that cannot be read, or asks for what there is not, as GraphQL reports it. */
export class QueryRefused extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly path: readonly string[];

  constructor(
    message: string,
    code: string,
    path: readonly string[] = [],
    details: Record<string, unknown> = {},
  ) {
    super(message);
    this.code = code;
    this.path = path;
    this.details = details;
  }
}

/** A value as it is written in a query. */
export type Literal =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'enum'; readonly name: string }
  | {
      readonly kind: 'value';
      readonly type: 'Int' | 'Float' | 'String' | 'Boolean' | 'Null';
      readonly value: unknown;
    }
  | { readonly kind: 'list'; readonly items: readonly Literal[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Literal> };

/** A field that is asked for, or the fields of a fragment in its place. */
export type Selection =
  | {
      readonly kind: 'field';
      readonly name: string;
      readonly alias: string;
      readonly arguments: ReadonlyMap<string, Literal>;
      /** Null where none are written. */
      readonly selections: readonly Selection[] | null;
    }
  | { readonly kind: 'spread'; readonly fragment: string }
  | { readonly kind: 'inline'; readonly type: string | null; readonly selections: readonly Selection[] };

/** `[ID!]!` is its text; `name` what is within. */
export interface TypeReference {
  readonly text: string;
  readonly name: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
}

export interface VariableDefinition {
  readonly name: string;
  readonly type: TypeReference;
  readonly fallback: Literal | null;
}

export interface Operation {
  readonly kind: string;
  readonly name: string | null;
  readonly variables: readonly VariableDefinition[];
  readonly selections: readonly Selection[];
}

export interface Fragment {
  readonly type: string;
  readonly selections: readonly Selection[];
}

/** A parsed request. */
export interface QueryDocument {
  readonly operations: readonly Operation[];
  readonly fragments: ReadonlyMap<string, Fragment>;
}

const tokens =
  /[\s,\uFEFF]+|#[^\n]*|(?<block>"""(?:\\"""|[\s\S])*?""")|(?<string>"(?:\\.|[^"\\\n])*")|(?<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_]\w*)|(?<mark>\.\.\.|[!$():=@[\]{}|&])|(?<wrong>[\s\S])/gy;

interface Token {
  readonly kind: 'block' | 'string' | 'number' | 'name' | 'mark';
  readonly text: string;
}

/** Reads texts in the language of GraphQL, of which it knows all but directives and subscriptions. */
export class GraphqlReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  /** Raises QueryRefused, as each method does. */
  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  document(): QueryDocument {
    const operations: Operation[] = [];
    const fragments = new Map<string, Fragment>();
    while (!this.isAtEnd) {
      if (this.#takes('fragment')) {
        const name = this.name();
        this.expect('on');
        fragments.set(name, { type: this.name(), selections: this.#selections() });
      } else {
        operations.push(this.#operation());
      }
    }
    return { operations, fragments };
  }

  /** A name, which the text must have here. */
  name(): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'name') throw this.#unexpected();
    this.#at++;
    return token.text;
  }

  /** A type, such as `[ID!]!`. */
  type(): TypeReference {
    const isList = this.#takes('[');
    const name = this.name();
    const isItemRequired = this.#takes('!');
    if (isList) this.expect(']');
    const isRequired = isList ? this.#takes('!') : isItemRequired;
    const item = name + (isItemRequired ? '!' : '');
    const text = isList ? `[${item}]${isRequired ? '!' : ''}` : item;
    return { text, name, isList, isRequired };
  }

  /** What the text must have here. */
  expect(text: string): void {
    if (!this.#takes(text)) throw this.#unexpected();
  }

  /** Whether this comes next, which is then behind. */
  takes(text: string): boolean {
    return this.#takes(text);
  }

  #operation(): Operation {
    if (this.#sees('{')) return { kind: 'query', name: null, variables: [], selections: this.#selections() };
    const kind = this.name();
    if (!['query', 'mutation', 'subscription'].includes(kind)) {
      this.#at--;
      throw this.#unexpected();
    }
    const name = this.#tokens[this.#at]?.kind === 'name' ? this.name() : null;
    const variables: VariableDefinition[] = [];
    if (this.#takes('(')) {
      while (!this.#takes(')')) variables.push(this.#variable());
    }
    return { kind, name, variables, selections: this.#selections() };
  }

  #variable(): VariableDefinition {
    this.expect('$');
    const name = this.name();
    this.expect(':');
    const type = this.type();
    return { name, type, fallback: this.#takes('=') ? this.#literal() : null };
  }

  #selections(): Selection[] {
    this.expect('{');
    const selections: Selection[] = [];
    while (!this.#takes('}')) selections.push(this.#selection());
    if (selections.length === 0) throw this.#unexpected();
    return selections;
  }

  #selection(): Selection {
    if (this.#takes('...')) {
      if (this.#takes('on')) return { kind: 'inline', type: this.name(), selections: this.#selections() };
      if (this.#sees('{')) return { kind: 'inline', type: null, selections: this.#selections() };
      return { kind: 'spread', fragment: this.name() };
    }
    const first = this.name();
    const name = this.#takes(':') ? this.name() : first;
    const args = new Map<string, Literal>();
    if (this.#takes('(')) {
      while (!this.#takes(')')) {
        const argument = this.name();
        this.expect(':');
        args.set(argument, this.#literal());
      }
    }
    const selections = this.#sees('{') ? this.#selections() : null;
    return { kind: 'field', name, alias: first, arguments: args, selections };
  }

  #literal(): Literal {
    if (this.#takes('$')) return { kind: 'variable', name: this.name() };
    if (this.#takes('[')) {
      const items: Literal[] = [];
      while (!this.#takes(']')) items.push(this.#literal());
      return { kind: 'list', items };
    }
    if (this.#takes('{')) {
      const fields = new Map<string, Literal>();
      while (!this.#takes('}')) {
        const name = this.name();
        this.expect(':');
        fields.set(name, this.#literal());
      }
      return { kind: 'object', fields };
    }
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind === 'mark') throw this.#unexpected();
    this.#at++;
    return literalOf(token);
  }

  #sees(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.text === text && (token.kind === 'mark' || token.kind === 'name');
  }

  #takes(text: string): boolean {
    if (!this.#sees(text)) return false;
    this.#at++;
    return true;
  }

  #unexpected(): QueryRefused {
    const token = this.#tokens[this.#at];
    const what = token === undefined ? 'end of file' : `"${token.text}" (${token.kind.toUpperCase()})`;
    return new QueryRefused(`syntax error, unexpected ${what}`, 'PARSE_ERROR');
  }
}

function tokenize(text: string): Token[] {
  const found: Token[] = [];
  for (const { groups = {} } of text.matchAll(tokens)) {
    const [kind, token] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    if (kind === undefined || token === undefined) continue;
    if (kind === 'wrong')
      throw new QueryRefused(`syntax error, unexpected invalid token ("${token}")`, 'PARSE_ERROR');
    found.push({ kind: kind as Token['kind'], text: token });
  }
  return found;
}

function literalOf({ kind, text }: Token): Literal {
  switch (kind) {
    case 'string':
      return { kind: 'value', type: 'String', value: JSON.parse(text) };
    case 'block':
      return { kind: 'value', type: 'String', value: text.slice(3, -3).trim() };
    case 'number':
      return { kind: 'value', type: /^-?\d+$/.test(text) ? 'Int' : 'Float', value: Number(text) };
    default:
      if (text === 'true' || text === 'false')
        return { kind: 'value', type: 'Boolean', value: text === 'true' };
      return text === 'null' ? { kind: 'value', type: 'Null', value: null } : { kind: 'enum', name: text };
  }
}
