import type { OpenApiDocument, Operation, Parameter } from '../../src/kit/http/reference/openapi.ts';
import type { JsonSchema } from '../../src/kit/http/reference/openapi-schema.ts';
import type { AnswerModel, BodyModel, ClientModel, ErrorModel, Field, Method, Type } from './model.ts';
import { fieldsOf, parameterType, typeOf } from './read-schemas.ts';
import { createTypeNames, type TypeNames } from './type-names.ts';

/** The model of the client libraries, read from the API's description. Throws when two names are one. */
export function clientModel(document: OpenApiDocument, version: string): ClientModel {
  const names = createTypeNames();
  for (const [name, { description = null, ...schema }] of Object.entries(document.components.schemas))
    names.add(name, typeOf(schema), description);
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([httpMethod, operation]) =>
      methodsOf({ path, httpMethod, operation }, names),
    ),
  );
  const errors = Object.entries(document['x-error-codes']).map(([code, facts]) => errorModel(code, facts));
  const byResource = Map.groupBy(methods, ({ resource }) => resource);
  return {
    version,
    resources: [...byResource].map(([name, list]) => ({ name, methods: list })),
    types: names.wanted([
      ...methods.flatMap(typesOf),
      ...errors.flatMap(({ fields }) => fields.map(typeOfField)),
    ]),
    errors,
  };
}

interface Line {
  readonly path: string;
  readonly httpMethod: string;
  readonly operation: Operation;
}

function methodsOf({ path, httpMethod, operation }: Line, names: TypeNames): Method[] {
  const [resource, name] = operation['x-call']?.split('.') ?? [];
  if (resource === undefined || name === undefined) return [];
  const body = bodyModel(operation, names);
  const common = {
    resource,
    op: operation.operationId,
    summary: operation.summary,
    description: operation.description ?? '',
    credential: operation.security.some((scheme) => 'operator' in scheme) ? 'operator' : 'key',
    httpMethod: httpMethod.toUpperCase() as Method['httpMethod'],
    path,
    pathParams: parametersOf(operation, 'path').map(fieldOf),
    body,
    ...exampleOf(operation),
    key: keyOf(operation, body, names),
    errors: codesOf(operation),
  } as const;
  const query = parametersOf(operation, 'query');
  const answers = answersOf(operation, names);
  const [json, files] = [answers.filter(isJson), answers.filter((answer) => !isJson(answer))];
  if (json.length === 0 || files.every(({ kind }) => kind === 'nothing'))
    return [
      { ...common, name, query: queryOf(operation, '', query, names), fixedQuery: {}, ...answered(answers) },
    ];
  // An operation that answers JSON or, with ?format=csv, a file has a method for each.
  const rest = query.filter((parameter) => parameter.name !== 'format');
  const filters = rest.filter((parameter) => parameter.name !== 'limit' && parameter.name !== 'cursor');
  return [
    { ...common, name, query: queryOf(operation, '', rest, names), fixedQuery: {}, ...answered(json) },
    {
      ...common,
      name: `${name}Csv`,
      query: queryOf(operation, 'Csv', filters, names),
      fixedQuery: { format: 'csv' },
      ...answered(files),
    },
  ];
}

function isJson({ kind }: AnswerModel): boolean {
  return kind === 'json';
}

function answered(answers: readonly AnswerModel[]): Pick<Method, 'answers' | 'page'> {
  const [first] = answers;
  const [data, cursor, more] =
    first?.kind === 'json' && first.type.kind === 'object' ? first.type.fields : [];
  const isPage = data?.name === 'data' && cursor?.name === 'nextCursor' && more === undefined;
  return { answers, page: isPage && data.type.kind === 'array' ? { item: data.type.items } : null };
}

function parametersOf({ parameters }: Operation, where: 'path' | 'query'): Parameter[] {
  return parameters.flatMap((parameter) =>
    'name' in parameter && parameter.in === where ? [parameter] : [],
  );
}

function fieldOf({ name, required, description, schema }: Parameter): Field {
  return { name, type: parameterType(schema), isRequired: required, doc: description ?? null };
}

function queryOf(
  { operationId }: Operation,
  suffix: string,
  parameters: readonly Parameter[],
  names: TypeNames,
): Method['query'] {
  if (parameters.length === 0) return null;
  const type: Type = { kind: 'object', fields: parameters.map(fieldOf), pushes: false, exactlyOne: [] };
  return {
    type: names.add(`${capitalised(operationId)}${suffix}Query`, type),
    isRequired: parameters.some(({ required }) => required),
  };
}

function bodyModel({ operationId, requestBody }: Operation, names: TypeNames): BodyModel | null {
  if (requestBody === undefined) return null;
  const { 'application/json': json, ...files } = requestBody.content;
  const [file = null] = Object.keys(files);
  const type = json?.schema === undefined ? null : typeOf(json.schema);
  return {
    isRequired: requestBody.required,
    json: type && names.ensure(`${capitalised(operationId)}Body`, type),
    file,
  };
}

function exampleOf({ requestBody }: Operation): { example?: unknown } {
  const example = requestBody?.content['application/json']?.example;
  return example === undefined ? {} : { example };
}

/** What makes a repeat harmless. */
function keyOf({ parameters }: Operation, body: BodyModel | null, names: TypeNames): Method['key'] {
  const takesKey = parameters.some(
    (parameter) => '$ref' in parameter && parameter.$ref.endsWith('/IdempotencyKey'),
  );
  if (!takesKey) return 'none';
  const type = body?.json ? names.resolved(body.json) : null;
  const ref = type?.kind === 'object' && type.fields.find(({ name }) => name === 'externalRef');
  if (!ref) return 'header';
  return ref.isRequired ? 'given' : 'externalRef';
}

function answersOf({ operationId, responses }: Operation, names: TypeNames): AnswerModel[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([text, { content = {} }]) => {
    const status = Number(text);
    const bodies = Object.entries(content);
    if (bodies.length === 0) return [{ status, kind: 'nothing' as const }];
    return bodies.map(([mediaType, { schema }]): AnswerModel => {
      if (mediaType !== 'application/json')
        return { status, kind: /^text\/|xml/.test(mediaType) ? 'text' : 'bytes', mediaType };
      const several = successes.length > 1 ? text : '';
      return {
        status,
        kind: 'json',
        type: answerType(`${capitalised(operationId)}Answer${several}`, schema, names),
      };
    });
  });
}

/** Named, but for pages, which are of named items. */
function answerType(name: string, schema: JsonSchema | undefined, names: TypeNames): Type {
  const type = typeOf(schema);
  const isPage = type.kind === 'object' && type.fields.some((field) => field.name === 'nextCursor');
  return isPage ? type : names.ensure(name, type);
}

/** The codes of all refusals, each once. */
function codesOf({ responses }: Operation): string[] {
  const codes = Object.values(responses).flatMap(({ content }) => {
    const [, own] = content?.['application/json']?.schema?.allOf ?? [];
    return (own?.properties?.code?.enum ?? []) as string[];
  });
  return [...new Set(codes)];
}

function errorModel(code: string, facts: OpenApiDocument['x-error-codes'][string]): ErrorModel {
  const { status, help, fields = {} } = facts;
  const optional = Object.entries(fields).filter(([, schema]) => schema.const === true);
  const required = Object.keys(fields).filter((name) => !optional.some(([other]) => other === name));
  return { code, status, help, fields: fieldsOf({ properties: fields, required }) };
}

function typesOf({ query, body, answers }: Method): Type[] {
  const answerTypes = answers.flatMap((answer) => (answer.kind === 'json' ? [answer.type] : []));
  return [query?.type, body?.json, ...answerTypes].filter((type) => type !== undefined && type !== null);
}

function typeOfField({ type }: Field): Type {
  return type;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
