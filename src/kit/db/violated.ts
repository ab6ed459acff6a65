import pg from 'pg';

/**
 * The unique or foreign key, or the check, that a database error says was violated, and its table. Without the values: they
 * may name a person.
 */
export interface Violation {
  readonly table: string | undefined;
  readonly constraint: string | undefined;
}

/**
 * What an error says of it; null where it is about something else. What Citus passes on from a node tells it in the sentence
 * alone, and by the names that the shard has there.
 */
export function violationIn(error: unknown): Violation | null {
  if (!(error instanceof pg.DatabaseError && error.code?.startsWith('23'))) return null;
  const said = (pattern: RegExp) => pattern.exec(error.message)?.[1];
  return {
    table: withoutShard(error.table ?? said(/\b(?:table|relation) "([^"]+)"/)),
    constraint: withoutShard(error.constraint ?? said(/\bconstraint "([^"]+)"/)),
  };
}

/** Citus numbers shards from 102008 on, and puts the number behind each name. */
function withoutShard(name: string | undefined): string | undefined {
  return name?.replace(/_[1-9]\d{5,}$/, '');
}
