import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { routes } from '../../src/routes.ts';
import { describeApi } from '../../src/start/reference.ts';

/** The OpenAPI document as an installation serves it. */
const { document, json } = describeApi(routes, 'https://cards.punchcard.test');

export { document, json };

/** Every object of the document, from the outermost inwards, with the way to it. */
export function* objectsOf(
  value: unknown = document,
  path: readonly string[] = [],
): Generator<{ object: Readonly<Record<string, unknown>>; path: readonly string[] }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { object: value as Record<string, unknown>, path };
  for (const [name, inner] of Object.entries(value)) yield* objectsOf(inner, [...path, name]);
}

/** Every pattern of the document, with one of the places where it stands. */
export function patternsOf(): Map<string, string> {
  const found = new Map<string, string>();
  for (const { object, path } of objectsOf()) {
    const names = path.at(-1) === 'patternProperties' ? Object.keys(object) : [];
    const own = typeof object.pattern === 'string' && path.at(-1) !== 'properties' ? [object.pattern] : [];
    for (const pattern of [...names, ...own]) found.set(pattern, path.join('/'));
  }
  return found;
}

const ajv = new Ajv2020({ strict: false, allErrors: false });
formats.default(ajv);
ajv.addSchema(document, 'api');

/** Whether the document takes a JSON body for an operation. */
export function bodyCheck(operationId: string): (body: unknown) => boolean {
  const route = routes.find(({ endpoint }) => endpoint.op === operationId);
  if (route === undefined) throw new Error(`there is no operation ${operationId}`);
  const path = [
    'paths',
    route.path,
    route.method.toLowerCase(),
    'requestBody',
    'content',
    'application/json',
    'schema',
  ];
  const pointer = path.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = ajv.compile({ $ref: `api#/${pointer.join('/')}` });
  return (body) => validate(body) as boolean;
}
