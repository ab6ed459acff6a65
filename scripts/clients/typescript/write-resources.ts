import type { ClientModel, Method, Resource, Type } from '../model.ts';
import { refsOf } from '../read-schemas.ts';
import { comment, typeText } from './write-declarations.ts';

/** Resources with more than their operations, and what they get it from. */
const bases: Readonly<Record<string, string>> = { webhooks: 'WebhookReceiver', events: 'EventFollower' };

/** `apiKeys` → `api-keys` */
export function fileName(resource: string): string {
  return resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `apiKeys` → `ApiKeysResource` */
export function className(resource: string): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Resource`;
}

/** The file of a resource: a class with a method for each operation. `common` are codes that need no mention. */
export function resourceFile({ name, methods }: Resource, common: ReadonlySet<string>): string {
  const base = bases[name] ?? 'Resource';
  const texts = methods.map((method) => methodText(method, common));
  const body = texts.join('\n\n');
  const wants = (word: string) => new RegExp(`\\b${word}\\b`).test(body);
  const options = ['CallOptions', 'FileBody'].filter(wants);
  const results = ['FileResult', 'Result'].filter(wants);
  const helpers = ['bodyOf', 'path'].filter((word) => new RegExp(`\\b${word}[(\`]`).test(body));
  const types = [...new Set(methods.flatMap(typesOf).flatMap(refsOf))].sort();
  return `import type { ${options.join(', ')} } from '../core/options.ts';
${wants('List') ? "import type { List } from '../core/pages.ts';\n" : ''}${helpers.length > 0 ? `import { ${helpers.join(', ')} } from '../core/request.ts';\n` : ''}import { ${base} } from '../core/${fileName(base).slice(1)}.ts';
${results.length > 0 ? `import type { ${results.join(', ')} } from '../core/result.ts';\n` : ''}${types.length > 0 ? `import type { ${types.join(', ')} } from '../types.ts';\n` : ''}
export class ${className(name)} extends ${base} {
${body}
}
`;
}

function typesOf({ body, query, page, answers }: Method): Type[] {
  const answered =
    page === null ? answers.flatMap((answer) => (answer.kind === 'json' ? [answer.type] : [])) : [page.item];
  return [...answered, body?.json, query?.type].filter((type) => type !== undefined && type !== null);
}

function methodText(method: Method, common: ReadonlySet<string>): string {
  const { kind, type } = resultOf(method);
  const signature = `${method.name}(${parametersOf(method).join(', ')}): ${kind === 'list' ? `List<${type}>` : `Promise<${type}>`}`;
  const generic = kind === 'file' ? '' : `<${kind === 'list' ? type : bodyType(method)}>`;
  return `${comment(docOf(method, common))}${signature} {
  return this.sender.${kind}${generic}({ ${callOf(method).join(', ')} }, options);
}`;
}

/** What a method is documented by: summary, description, and the codes of its own. */
export function docOf({ summary, description, errors }: Method, common: ReadonlySet<string>): string {
  const own = errors.filter((code) => !common.has(code)).map((code) => `\`${code}\``);
  const refused = own.length === 0 ? '' : `Refused with ${own.join(', ')}.`;
  return [`${summary}.`, description, refused].filter((text) => text !== '').join('\n\n');
}

/** `passId: string`, `body: NewPass` … in their order. */
export function parametersOf({ pathParams, body, query }: Method): string[] {
  return [
    ...pathParams.map(({ name }) => `${name}: string`),
    ...(body === null ? [] : [bodyParameter(body)]),
    ...(query === null ? [] : [`query${query.isRequired ? '' : '?'}: ${query.type.name}`]),
    'options?: CallOptions',
  ];
}

function bodyParameter({ json, file, isRequired }: NonNullable<Method['body']>): string {
  if (json === null) return 'file: FileBody';
  return `body${isRequired ? '' : '?'}: ${typeText(json)}${file === null ? '' : ' | FileBody'}`;
}

/** What a method gives, and how it is asked for. */
export function resultOf(method: Method): { readonly kind: 'list' | 'file' | 'json'; readonly type: string } {
  if (method.page !== null) return { kind: 'list', type: typeText(method.page.item) };
  if (method.answers.some(({ kind }) => kind === 'text' || kind === 'bytes'))
    return { kind: 'file', type: 'FileResult' };
  const body = bodyType(method);
  if (body === 'object') return { kind: 'json', type: 'Result' };
  return { kind: 'json', type: `${body.includes('|') ? `(${body})` : body} & Result` };
}

function bodyType({ answers }: Method): string {
  const types = answers.map((answer) => (answer.kind === 'json' ? typeText(answer.type) : 'object'));
  return [...new Set(types)].join(' | ');
}

function callOf({
  httpMethod,
  path,
  pathParams,
  query,
  fixedQuery,
  body,
  key,
  credential,
}: Method): string[] {
  const fixed = Object.entries(fixedQuery).map(([name, value]) => `${name}: '${value}'`);
  return [
    `method: '${httpMethod}'`,
    pathParams.length === 0 ? `path: '${path}'` : `path: path\`${path.replaceAll('{', '${')}\``,
    ...(fixed.length > 0
      ? [`query: { ${[...(query === null ? [] : ['...query']), ...fixed].join(', ')} }`]
      : query === null
        ? []
        : ['query']),
    ...(body === null ? [] : [bodyInCall(body)]),
    ...(key === 'externalRef' || key === 'header' ? [`key: '${key}'`] : []),
    ...(credential === 'operator' ? ["credential: 'operator'"] : []),
  ];
}

function bodyInCall({ json, file }: NonNullable<Method['body']>): string {
  if (json === null) return `file: { mediaType: '${file}', content: file }`;
  return file === null ? 'body' : `...bodyOf(body, '${file}')`;
}

/** Codes that all methods of keys can be refused with. */
export function commonCodes({ resources }: ClientModel): Set<string> {
  const lists = resources.flatMap(({ methods }) => methods.filter(({ credential }) => credential === 'key'));
  const codes = new Set(lists.flatMap(({ errors }) => errors));
  const always = [...codes].filter((code) => lists.every(({ errors }) => errors.includes(code)));
  // Every call can be refused with the codes of transport, and every write with the others.
  return new Set([
    ...always,
    'insufficient_scope',
    'request_too_large',
    'unsupported_media_type',
    'external_ref_reused',
  ]);
}
