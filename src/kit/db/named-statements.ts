import pg from 'pg';

/** Names for statements, the same on every connection: the server plans a named statement once a connection. */
export interface StatementNames {
  /** Undefined for a statement that is to stay without a name. */
  nameOf(text: string): string | undefined;
  /** Forgets all names: their plans are of no use any more. */
  renew(): void;
}

/** Statements are made from a few hundred texts; lists of changing length would make endlessly many. */
const mostNames = 500;

export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  let generation = 0;
  return {
    nameOf(text) {
      const known = names.get(text);
      if (known !== undefined || names.size === mostNames) return known;
      const name = `g${generation}_${names.size}`;
      names.set(text, name);
      return name;
    },
    renew() {
      names.clear();
      generation += 1;
    },
  };
}

/** Names the statements with parameters that a client sends. */
export function nameStatements(client: pg.PoolClient, names: StatementNames): void {
  const send = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const query = (...args: unknown[]) => {
    const [text, values] = args;
    const isPlain = typeof text === 'string' && Array.isArray(values) && values.length > 0;
    // Whoever hands over a callback as well gets no promise.
    const name = isPlain && args.length === 2 ? names.nameOf(text) : undefined;
    if (name === undefined) return send(...args);
    return send({ name, text, values }).catch((error) => {
      if (isStalePlan(error)) names.renew();
      throw error;
    });
  };
  client.query = query as typeof client.query;
}

/** Whether a migration has changed what a named statement returns: under a new name it works again. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && /cached plan/.test(error.message);
}
