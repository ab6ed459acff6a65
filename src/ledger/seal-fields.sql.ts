import { type Sql, sql } from '../kit/db/sql.ts';

/** A moment as it is hashed: UTC with microseconds, or infinity. What has passed since 1970 is the same in every time zone. */
function moment(column: string): string {
  return `case when ${column} = 'infinity' then 'infinity'
    else to_char(timestamp 'epoch' + (${column} - timestamptz 'epoch'), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end`;
}

/** The fields of an entry in the order in which they are hashed, and each as the text that is hashed. */
const fields = {
  account_id: (of: string) => `${of}.account_id::text`,
  seq: (of: string) => `${of}.seq::text`,
  entry_id: (of: string) => `${of}.entry_id::text`,
  program_id: (of: string) => `${of}.program_id::text`,
  instance_id: (of: string) => `${of}.instance_id::text`,
  kind: (of: string) => `${of}.kind`,
  points: (of: string) => `${of}.points::text`,
  balance: (of: string) => `${of}.balance::text`,
  expires_at: (of: string) => moment(`${of}.expires_at`),
  external_ref: (of: string) => sealedText(`${of}.external_ref`, `${of}.ref_seal`),
  reason: (of: string) => sealedText(`${of}.reason`, `${of}.reason_seal`),
  limited_by: (of: string) => `${of}.limited_by`,
  partner_id: (of: string) => `${of}.partner_id::text`,
  order_id: (of: string) => `${of}.order_id`,
  reversal_of: (of: string) => `${of}.reversal_of::text`,
  actor: (of: string) => `${of}.actor`,
  occurred_at: (of: string) => moment(`${of}.occurred_at`),
  created_at: (of: string) => moment(`${of}.created_at`),
} as const;

/** What is hashed of a text of the caller, as seal-bytes.ts has it. */
function sealedText(text: string, seal: string): string {
  return `case when ${seal} is null or length(${seal}) = 0 then ${text}
    when ${text} is null then encode(${seal}, 'hex')
    else encode(sha256(${seal} || convert_to(${text}, 'UTF8')), 'hex') end`;
}

/** A moment of a column as it is hashed. */
export function hashedText(column: string): Sql {
  return sql.raw(moment(column));
}

/** The fields of an entry, as columns of text: of the caller's words what is hashed is made of. */
export function fieldTexts(of: string): Sql {
  const texts = {
    ...fields,
    external_ref: () => `${of}.external_ref`,
    ref_seal: () => `encode(${of}.ref_seal, 'hex')`,
    reason: () => `${of}.reason`,
    reason_seal: () => `encode(${of}.reason_seal, 'hex')`,
  };
  return sql.raw(
    Object.entries(texts)
      .map(([name, text]) => `${text(of)} as ${name}`)
      .join(', '),
  );
}

/** The bytes of an entry that are hashed, as seal-bytes.ts writes them. */
export function hashedFields(of: string): Sql {
  const parts = Object.values(fields).map((text) => {
    const bytes = `convert_to(${text(of)}, 'UTF8')`;
    return `coalesce(int4send(length(${bytes})) || ${bytes}, '\\xffffffff'::bytea)`;
  });
  return sql.raw(parts.join(' || '));
}
