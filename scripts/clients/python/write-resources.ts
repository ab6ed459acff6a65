import { fileArgument, pythonArgument, snakeCase } from '../../../tools/docs-site/samples/python.ts';
import type { ClientModel, Field, Method, Resource, Type } from '../model.ts';
import { docstring, pascal, spread } from './spelling.ts';
import { classOf } from './write-errors.ts';
import type { PythonTypes } from './write-typed-dicts.ts';

/** An argument of a method that is given by its name. */
interface Argument {
  /** As the API spells it. */
  readonly name: string;
  readonly types: readonly Type[];
  readonly isRequired: boolean;
  readonly doc: string | null;
  readonly place: 'body' | 'query' | 'file';
}

/** What the arguments of a method are made of: its body, its query, a file. Paths come first, by position. */
export function argumentsOf(model: ClientModel, method: Method): Argument[] {
  const { body, query } = method;
  const isEither = body?.json != null && body.file !== null;
  const args: Argument[] = [
    ...(body?.json == null
      ? []
      : bodyFields(model, body.json).map(
          (field): Argument => ({ ...field, isRequired: field.isRequired && !isEither, place: 'body' }),
        )),
    ...(body?.file == null ? [] : [fileOf(body.file, body.json === null)]),
    ...(query === null
      ? []
      : fieldsOf(model, query.type).map(
          (field): Argument => ({ ...field, types: [field.type], place: 'query' }),
        )),
  ];
  const names = [...method.pathParams, ...args].map(({ name }) => pythonArgument(name));
  for (const [index, name] of names.entries())
    if (name === 'options' || names.indexOf(name) !== index)
      throw new Error(`${method.resource}.${method.name} has two arguments called ${name}`);
  return args;
}

function fileOf(mediaType: string, isRequired: boolean): Argument {
  const doc = mediaType === 'text/csv' ? 'a CSV file' : 'the bytes of a file';
  return { name: fileArgument(mediaType), types: [], isRequired, doc, place: 'file' };
}

/** The properties of a body; of several bodies all that any of them has. */
function bodyFields(model: ClientModel, type: Type): Omit<Argument, 'place'>[] {
  const resolved = resolve(model, type);
  const bodies =
    resolved.kind === 'union' ? resolved.of.map((one) => fieldsOf(model, one)) : [fieldsOf(model, resolved)];
  const names = new Set(bodies.flat().map(({ name }) => name));
  return [...names].map((name) => {
    const fields = bodies.flatMap((body) => body.filter((field) => field.name === name));
    return {
      name,
      types: fields.map((field) => field.type),
      isRequired: fields.length === bodies.length && fields.every((field) => field.isRequired),
      doc: fields[0]?.doc ?? null,
    };
  });
}

function resolve(model: ClientModel, type: Type): Type {
  return type.kind === 'ref' ? (model.types.find(({ name }) => name === type.name)?.type ?? type) : type;
}

function fieldsOf(model: ClientModel, type: Type): readonly Field[] {
  const resolved = resolve(model, type);
  if (resolved.kind !== 'object') throw new Error('what a method is given is an object');
  return resolved.fields;
}

/** The type that a method answers; of a list, that of an item. */
export function answerOf(types: PythonTypes, { page, answers }: Method, prefix: string): string {
  if (page !== null) return types.annotation(page.item, prefix);
  const kinds = answers.map((answer) => {
    if (answer.kind === 'json') return types.annotation(answer.type, prefix);
    return answer.kind === 'nothing' ? 'Answer' : 'File';
  });
  const [first = 'Answer', ...others] = new Set(kinds);
  return others.length === 0 ? first : `Union[${[first, ...others].join(', ')}]`;
}

/** The file of a resource: its operations, and a class for each client. */
export function resourceFile(model: ClientModel, types: PythonTypes, resource: Resource): string {
  const parts = [
    resource.methods.flatMap((method) => operationLines(types, method)).join('\n'),
    classLines(model, types, resource).join('\n'),
    asyncClassLines(resource).join('\n'),
  ];
  const code = parts.join('\n\n\n');
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  const bases = Map.groupBy(
    [true, false].flatMap((isAsync) => baseOf(resource.name, isAsync) ?? []),
    ({ module }) => module,
  );
  const imports = [
    ['typing', used(['Any', 'Dict', 'List', 'Literal', 'Mapping', 'Optional', 'Union'])],
    ['.._answers', used(['Answer', 'File'])],
    ['.._asynchronous', used(['awaited', 'in_async_pages'])],
    ['.._callers', ['AsyncCaller', 'Caller']],
    ['.._operations', used(['FileBody', 'Maybe', 'NOT_GIVEN', 'Operation', 'Options'])],
    ['.._pages', used(['Page', 'Pages'])],
    ...[...bases].map(([module, names]) => [module, [...new Set(names.map(({ name }) => name))]] as const),
  ] as const;
  const lines = imports.flatMap(([from, names]) =>
    names.length === 0 ? [] : [`from ${from} import ${names.join(', ')}`],
  );
  const [typing = '', ...own] = lines;
  const needsTypes = code.includes('types.');
  return `"""\`punchcard.${snakeCase(resource.name)}\`. Printed from the API: \`npm run docs\`."""

from __future__ import annotations

${typing}

${[...(needsTypes ? ['from .. import types'] : []), ...own].join('\n')}

${code}
`;
}

function operationLines(types: PythonTypes, method: Method): string[] {
  const answer = answerOf(types, method, 'types.');
  const kind = method.page !== null ? 'page' : kindOf(method);
  const type = method.page === null ? answer : `Page[${answer}]`;
  const key = method.key === 'given' ? 'none' : method.key;
  return spread(
    `${constantOf(method)}: Operation[${type}] = Operation(`,
    [
      `"${method.httpMethod}"`,
      `"${method.path}"`,
      `"${kind}"`,
      ...(key === 'none' && method.credential === 'key' ? [] : [`"${key}"`]),
      ...(method.credential === 'key' ? [] : [`"${method.credential}"`]),
    ],
    ')',
    0,
  );
}

function kindOf({ answers }: Method): string {
  const [first] = answers;
  if (first === undefined || first.kind === 'nothing') return 'nothing';
  return first.kind === 'json' ? 'json' : 'file';
}

function constantOf({ name }: Method): string {
  return `_${snakeCase(name).toUpperCase()}`;
}

/** The base class of a resource, with its methods that are written by hand. */
function baseOf(
  resource: string,
  isAsync: boolean,
): { readonly name: string; readonly module: string } | null {
  if (resource === 'events') return { name: `${isAsync ? 'Async' : ''}EventFollower`, module: '.._follow' };
  return resource === 'webhooks' ? { name: 'WebhookReceiver', module: '.._webhooks' } : null;
}

/** `Loyalty`, `AsyncLoyalty` */
export function classOfResource(name: string, isAsync: boolean): string {
  return `${isAsync ? 'Async' : ''}${pascal(name)}`;
}

function classLines(model: ClientModel, types: PythonTypes, resource: Resource): string[] {
  return [
    ...classHead(resource.name, false),
    ...resource.methods.flatMap((method) => ['', ...methodLines(model, types, method)]),
  ];
}

/** The methods of the other class again: signatures and docstrings are printed once. */
function asyncClassLines({ name, methods }: Resource): string[] {
  return [
    ...classHead(name, true),
    '',
    ...methods.map((method) => {
      const called = snakeCase(method.name);
      const made = method.page === null ? 'awaited' : 'in_async_pages';
      return `    ${called} = ${made}(${classOfResource(name, false)}.${called})`;
    }),
  ];
}

function classHead(resource: string, isAsync: boolean): string[] {
  const base = baseOf(resource, isAsync);
  return [
    `class ${classOfResource(resource, isAsync)}${base === null ? '' : `(${base.name})`}:`,
    `    def __init__(self, caller: ${isAsync ? 'AsyncCaller' : 'Caller'}) -> None:`,
    '        self._caller = caller',
  ];
}

function methodLines(model: ClientModel, types: PythonTypes, method: Method): string[] {
  const args = argumentsOf(model, method);
  const answer = answerOf(types, method, 'types.');
  const isPage = method.page !== null;
  const returns = isPage ? `Pages[${answer}]` : answer;
  const parameters = [
    'self',
    ...method.pathParams.map(({ name }) => `${pythonArgument(name)}: str`),
    '*',
    ...args
      .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
      .map((one) => parameterOf(types, one)),
    'options: Optional[Options] = None',
  ];
  return [
    ...spread(`def ${snakeCase(method.name)}(`, parameters, `) -> ${returns}:`, 4),
    ...docstring(docOf(model, method, args), 8),
    ...spread(
      `return self._caller.${isPage ? 'pages' : 'call'}(`,
      [constantOf(method), 'options', ...callParts(method, args)],
      ')',
      8,
    ),
  ];
}

/** A field that is left out of a body differs from null, which clears; a query has no null. */
function parameterOf(types: PythonTypes, { name, types: all, isRequired, place }: Argument): string {
  if (place === 'file')
    return `${name}: ${isRequired ? 'Union[str, bytes]' : 'Optional[Union[str, bytes]] = None'}`;
  const written = [...new Set(all.map((type) => types.argument(type, 'types.')))];
  const type = written.length === 1 ? written.join('') : `Union[${written.join(', ')}]`;
  if (isRequired) return `${pythonArgument(name)}: ${type}`;
  return place === 'query'
    ? `${pythonArgument(name)}: Optional[${type}] = None`
    : `${pythonArgument(name)}: Maybe[${type}] = NOT_GIVEN`;
}

function callParts({ pathParams, fixedQuery, body }: Method, args: readonly Argument[]): string[] {
  const dict = (entries: readonly string[]) => `{${entries.join(', ')}}`;
  const given = (place: Argument['place']) =>
    args.filter((one) => one.place === place).map(({ name }) => `"${name}": ${pythonArgument(name)}`);
  const path = pathParams.map(({ name }) => `"${name}": ${pythonArgument(name)}`);
  const query = [
    ...Object.entries(fixedQuery).map(([name, value]) => `"${name}": "${value}"`),
    ...given('query'),
  ];
  const json = body?.json == null ? null : dict(given('body'));
  const called = body?.file == null ? null : fileArgument(body.file);
  const file = called === null ? null : `FileBody(${called}, "${body?.file}")`;
  const sent = json !== null && file !== null ? `${json} if ${called} is None else ${file}` : (json ?? file);
  return [
    ...(path.length === 0 ? [] : [`path=${dict(path)}`]),
    ...(query.length === 0 ? [] : [`query=${dict(query)}`]),
    ...(sent === null ? [] : [`body=${sent}`]),
  ];
}

function docOf(model: ClientModel, method: Method, args: readonly Argument[]): string[] {
  const all = [...method.pathParams, ...args];
  const documented = all.filter(({ doc }) => doc !== null);
  /** Spells the names of arguments as Python does. */
  const spelled = (text: string) =>
    text.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (word) =>
      all.some(({ name }) => name === word) ? pythonArgument(word) : word,
    );
  const errors = ownErrors(model, method).map(classOf);
  const body = method.body?.json == null ? null : resolve(model, method.body.json);
  const oneOf = body?.kind === 'object' ? body.exactlyOne : [];
  return [
    spelled(`${method.summary}.`),
    spelled(method.description),
    oneOf.length === 0
      ? ''
      : `Takes one of ${oneOf.map((name) => `\`${pythonArgument(name)}\``).join(', ')}.`,
    `\`${method.httpMethod} ${method.path}\``,
    documented.length === 0
      ? ''
      : [
          'Args:',
          ...documented.map(({ name, doc }) => `    ${pythonArgument(name)}: ${spelled(doc ?? '')}`),
        ].join('\n'),
    errors.length === 0 ? '' : `Raises:\n    ${errors.join(', ')}`,
  ];
}

/** Errors of a method, without those that every operation with a key may raise. */
export function ownErrors({ resources }: ClientModel, { errors }: Method): string[] {
  const all = resources.flatMap(({ methods }) => methods);
  return errors.filter(
    (code) => all.filter((method) => method.errors.includes(code)).length < all.length / 3,
  );
}
