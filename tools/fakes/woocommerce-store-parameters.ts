/** Parameters that the REST API refuses, by name, with the reason. */
export class ParametersRefused extends Error {
  readonly params: Readonly<Record<string, string>>;

  constructor(params: Readonly<Record<string, string>>) {
    super(`Invalid parameter(s): ${Object.keys(params).join(', ')}`);
    this.params = params;
  }
}

/** Where a page lies. */
export interface PagePlace {
  readonly page: number;
  readonly perPage: number;
  readonly offset: number;
}

/** The query of a request: what the API knows is checked, what it does not know is left aside. */
export class Parameters {
  readonly #query: URLSearchParams;
  readonly #wrong: Record<string, string> = {};

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  /** Raises ParametersRefused when one of those that were read is wrong. */
  check(): void {
    if (Object.keys(this.#wrong).length > 0) throw new ParametersRefused(this.#wrong);
  }

  text(name: string): string | null {
    return this.#query.get(name);
  }

  word(name: string, fallback: string, known: readonly string[]): string {
    const value = this.#query.get(name) ?? fallback;
    if (!known.includes(value)) this.#wrong[name] = `${name} is not one of ${known.join(', ')}.`;
    return value;
  }

  words(name: string): string[] {
    return (this.#query.get(name) ?? '').split(',').filter((word) => word !== '');
  }

  numbers(name: string): number[] {
    return this.words(name).map(Number);
  }

  flag(name: string): boolean {
    const value = this.#query.get(name) ?? 'false';
    if (!/^(true|false|1|0)$/.test(value)) this.#wrong[name] = `${name} is not of type boolean.`;
    return value === 'true' || value === '1';
  }

  /** Ten to a page, a hundred at most; an offset wins over the number of the page. */
  page(): PagePlace {
    const perPage = this.#number('per_page', 10, 1, 100);
    const page = this.#number('page', 1, 1, Number.MAX_SAFE_INTEGER);
    const offset = this.#number('offset', 0, 0, Number.MAX_SAFE_INTEGER);
    if (offset > 0) return { page: Math.ceil(offset / perPage + 1), perPage, offset };
    return { page, perPage, offset: (page - 1) * perPage };
  }

  /**
   * A moment in ms, or null. Without a zone it is one of the site's clock, or of Greenwich where `isGmt`. With a zone it
   * is turned into the site's time first, whatever the column is that it is compared with: that is what WordPress does.
   */
  moment(name: string, isGmt: boolean, utcOffsetHours: number): number | null {
    const value = this.#query.get(name);
    if (value === null) return null;
    const [, local, zone] =
      /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(value) ?? [];
    if (local === undefined) {
      this.#wrong[name] = `Invalid date.`;
      return null;
    }
    const offsetMs = utcOffsetHours * 3_600_000;
    const written =
      zone === undefined
        ? Date.parse(`${local.replace(' ', 'T')}Z`)
        : Date.parse(`${local}${zone}`) + offsetMs;
    return isGmt ? written : written - offsetMs;
  }

  /** The fields that `_fields` names; all of them without it. */
  fieldsOf(item: Record<string, unknown>): Record<string, unknown> {
    const names = this.words('_fields');
    if (names.length === 0) return item;
    return picked(
      item,
      names.map((name) => name.split('.')),
    );
  }

  #number(name: string, fallback: number, min: number, max: number): number {
    const text = this.#query.get(name);
    if (text === null) return fallback;
    const value = Number(text);
    if (!/^-?\d+$/.test(text)) this.#wrong[name] = `${name} is not of type integer.`;
    else if (value < min || value > max)
      this.#wrong[name] = `${name} must be between ${min} (inclusive) and ${max} (inclusive)`;
    else return value;
    return fallback;
  }
}

function picked(item: Record<string, unknown>, paths: readonly string[][]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name = '', ...rest] of paths) {
    const value = item[name];
    if (value === undefined) continue;
    const isDeep = rest.length > 0 && typeof value === 'object' && value !== null && !Array.isArray(value);
    const before = result[name];
    result[name] = isDeep
      ? { ...(typeof before === 'object' ? before : {}), ...picked(value as Record<string, unknown>, [rest]) }
      : value;
  }
  return result;
}
