import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { closed, oneOf } from '../src/kit/http/schemas/shapes.ts';

/** A mistake in a request to the simulated store, which its sender can correct. */
export class RequestProblem extends Error {}

const Amount = Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,4})?$', description: 'such as "12.50"' });
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 });

/** Any of these, or none at all. */
function someOf<P extends TProperties>(properties: P) {
  return Type.Partial(closed(properties), { additionalProperties: false });
}

const Line = closed({
  price: Amount,
  quantity: Type.Optional(Count),
  discount: Type.Optional(Amount),
  taxRate: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  isGiftCard: Type.Optional(Type.Boolean()),
  title: Type.Optional(Type.String({ maxLength: 200 })),
});

const Part = closed({ line: Type.Integer({ minimum: 0 }), quantity: Type.Optional(Count) });

/** What the requests of people carry. */
export const bodies = {
  order: someOf({
    customer: Count,
    customerId: Type.Integer({ minimum: 1 }),
    email: Type.String({ maxLength: 320 }),
    phone: Type.String({ maxLength: 40 }),
    firstName: Type.String({ maxLength: 100 }),
    lastName: Type.String({ maxLength: 100 }),
    total: Amount,
    lines: Type.Array(Line, { minItems: 1, maxItems: 100 }),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    shipping: Amount,
    tip: Amount,
    taxesIncluded: Type.Boolean(),
    isTest: Type.Boolean(),
    paid: Type.Boolean(),
  }),
  edit: someOf({
    add: Type.Array(Line, { maxItems: 100 }),
    remove: Type.Array(Part, { maxItems: 100 }),
  }),
  refund: someOf({
    lines: Type.Array(Part, { minItems: 1, maxItems: 100 }),
    amount: Amount,
    shipping: Amount,
    note: Type.String({ maxLength: 200 }),
  }),
  cancel: someOf({ refunds: Type.Boolean() }),
  status: closed({
    status: oneOf([
      'pending',
      'processing',
      'on-hold',
      'completed',
      'cancelled',
      'refunded',
      'failed',
      'trash',
    ]),
  }),
  customers: closed({ count: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }),
  customer: someOf({
    email: Type.Union([Type.String({ maxLength: 320 }), Type.Null()]),
    firstName: Type.String({ maxLength: 100 }),
    lastName: Type.String({ maxLength: 100 }),
    phone: Type.String({ maxLength: 40 }),
    locale: Type.String({ maxLength: 20 }),
    consent: oneOf(['subscribed', 'pending', 'not_subscribed', 'unsubscribed', 'invalid', 'redacted']),
  }),
  fault: closed({
    outcome: Type.Union([
      oneOf(['throttled', 'malformed', 'silence', 'cut', 'cut after']),
      closed({ delayMs: Type.Integer({ minimum: 0, maximum: 600_000 }) }),
      closed({
        status: Type.Integer({ minimum: 200, maximum: 599 }),
        headers: Type.Optional(Type.Record(Type.String(), Type.String())),
        body: Type.Optional(Type.Unknown()),
      }),
    ]),
    matching: Type.Optional(Type.String({ maxLength: 200 })),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  }),
  webhooks: someOf({
    url: Type.String({ pattern: '^https?://', maxLength: 2_000 }),
    automatic: Type.Boolean(),
  }),
  delivery: someOf({
    times: Type.Integer({ minimum: 1, maximum: 100 }),
    order: oneOf(['sent', 'reversed', 'shuffled']),
    seed: Type.Integer(),
    only: Type.Array(Type.String()),
    drop: Type.Array(Type.String()),
    delayMs: Type.Integer({ minimum: 0, maximum: 60_000 }),
  }),
} as const;

/** The JSON of a request, checked; an empty one is {}. Raises RequestProblem. */
export function readBody<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> {
  const value = parsed(text);
  const validator = Compile(schema);
  if (validator.Check(value)) return value as Static<Schema>;
  const [first] = validator.Errors(value);
  const path = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  throw new RequestProblem(explain(schema, path, first?.message ?? 'is wrong'));
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestProblem('the body is no JSON: write it as -d \'{"total":"12.50"}\'');
  }
}

function explain(schema: TSchema, path: string, message: string): string {
  if (/(^|\.)(total|price|amount|discount|shipping|tip)$/.test(path))
    return `${path}: must be a decimal number in quotes, such as "12.50"`;
  if (message !== 'schema is false') return `${path || 'the body'}: ${message}`;
  const known = 'properties' in schema && !path.includes('.') ? Object.keys(schema.properties as object) : [];
  return `${path}: is not known${known.length > 0 ? `. There is ${known.join(', ')}` : ''}`;
}
