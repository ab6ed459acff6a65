import { routes } from '../../src/routes.ts';
import type { Json } from '../client.ts';
import { hostileStrings } from '../hostile-strings.ts';
import { pick, type Random } from '../ledger/random.ts';
import { isPlain, type Schema } from '../text-places.ts';

/** What the examples of the reference have under each name. */
const examples = new Map<string, Json[]>();
for (const { endpoint } of routes) collect(endpoint.example);

function collect(example: unknown): void {
  if (Array.isArray(example)) for (const one of example) collect(one);
  if (!isPlain(example)) return;
  for (const [name, value] of Object.entries(example)) {
    examples.set(name, [...(examples.get(name) ?? []), value]);
    collect(value);
  }
}

const numbers = [0, 1, 2, 5, -1, 0.5, 1e9, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1e300];
const anything: readonly unknown[] = [null, true, [], {}, '', 'x', 0, -1, [[]], { a: 1 }];
/** Addresses are not called, lest the attack leaves the machine. */
const isAddress = (name: string) => /url$|endpoint/i.test(name);

/** A body that fits its schema more often than not, about things with these names. */
export function generateBody(
  random: Random,
  schema: Schema,
  names: Readonly<Record<string, string>>,
  name = '',
): unknown {
  const chance = random();
  if (chance < 0.02) return pick(random, anything);
  const own = names[name];
  if (own !== undefined && chance < 0.85) return own;
  const known = examples.get(name);
  if (known !== undefined && chance < 0.6) return pick(random, known);
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf !== undefined) return generateBody(random, pick(random, schema.anyOf), names, name);
  if (schema.type === 'array') {
    const items = schema.items ?? { type: 'string' };
    return Array.from({ length: Math.floor(random() * 4) }, () => generateBody(random, items, names, name));
  }
  if (schema.type === 'object') return objectOf(random, schema, names);
  if (schema.type === 'boolean') return random() < 0.5;
  if (schema.type === 'null') return null;
  if (schema.type === 'integer' || schema.type === 'number') return pick(random, numbers);
  return random() < 0.7 ? `text ${Math.floor(random() * 20)}` : pick(random, hostileStrings);
}

/** An object with some of its properties: all that must be there, most of the time. */
function objectOf(random: Random, schema: Schema, names: Readonly<Record<string, string>>): Json {
  const { properties = {}, patternProperties, required = [] } = schema;
  const some = Object.entries(properties).filter(
    ([name]) => !isAddress(name) && random() < (required.includes(name) ? 0.98 : 0.3),
  );
  const entries = some.map(([name, inner]) => [name, generateBody(random, inner, names, name)]);
  const [free] = Object.values(patternProperties ?? {});
  if (free !== undefined) entries.push(['tier', generateBody(random, free, names, 'tier')]);
  return Object.fromEntries(entries);
}
