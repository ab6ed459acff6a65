import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { bodyParts, JSON_TYPE, jsonBodySchema } from '../src/kit/http/endpoints/body-parts.ts';
import { routes } from '../src/routes.ts';
import { errorsOf } from '../src/start/reference.ts';
import { beforeRouting } from '../tools/docs-site/words.ts';
import type { Reply } from './client.ts';

/** Fails unless the answer is one that its route declares, status and body. Errors are checked elsewhere. */
export function assertAnswer(method: string, path: string, { status, body, text, headers }: Reply): void {
  if (status >= 400) return;
  const route = routeOf(method, path);
  assert.ok(route, `${method} ${path} answered ${status} but is no route`);
  assert.ok(status in route.answers, `${method} ${path} answered ${status}, which is not declared`);
  const declared = route.answers[status];
  if (declared === null || method === 'HEAD') {
    assert.equal(text, '');
    return;
  }
  if (typeof declared === 'string') {
    const type = headers.get('content-type');
    assert.ok(type === declared || type === `${declared}; charset=utf-8`, `${type} instead of ${declared}`);
    return;
  }
  const [type] = headers.get('content-type')?.split(';') ?? [];
  // A file in place of the list.
  if (type !== JSON_TYPE && bodyParts(declared as TSchema).some((part) => part.type === type)) return;
  const validator = validatorOf(jsonBodySchema(declared as TSchema) ?? (declared as TSchema));
  const problems = validator.Check(body) ? [] : validator.Errors(body);
  assert.deepEqual(problems, [], `${method} ${path} ${status}: the body does not match its schema`);
}

/** Fails unless the operation declares that it can refuse with this code. */
export function assertDeclared(method: string, path: string, code: string): void {
  const route = routeOf(method, path);
  if (route === undefined || beforeRouting.has(code)) return;
  assert.ok(route.codes.has(code), `${method} ${path} answered ${code}, which it does not declare`);
}

function routeOf(method: string, path: string) {
  const bare = path.replace(/^\/v1(?=\/)/, '').replace(/\?.*$/, '');
  return matchers.find((matcher) => matcher.methods.includes(method) && matcher.pattern.test(bare));
}

const matchers = routes
  .map((route) => ({ ...route, codes: errorsOf(route) }))
  .map(({ method, path, endpoint, codes }) => ({
    codes,
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    answers: endpoint.answers,
    literal: !path.includes('{'),
  }))
  .sort((a, b) => Number(b.literal) - Number(a.literal));

const validators = new Map<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const made = Compile(schema) as Validator;
  validators.set(schema, made);
  return made;
}
