import type { ClientLibrary } from '../site.ts';
import {
  indented,
  type SampleBody,
  type SampleCall,
  type SampleLanguage,
  type SampleRequest,
} from './sample-request.ts';

/** A module for Node, Deno or Bun; without a library where there is none for the call. */
export const typescript: SampleLanguage = {
  name: 'TypeScript',
  hasSingleQuotes: true,
  write(request: SampleRequest, library: ClientLibrary | undefined): string {
    if (library !== undefined && request.call !== null) return throughClient(request, request.call, library);
    const { method, url, credential, takesKey, body, answers } = request;
    const headers = [
      ...(credential === null ? [] : [`Authorization: \`Bearer \${process.env.${credential}}\`,`]),
      ...(takesKey ? ["'Idempotency-Key': crypto.randomUUID(),"] : []),
      ...(body === null ? [] : [`'Content-Type': '${body.type}',`]),
    ];
    const options = [
      ...(method === 'GET' ? [] : [`method: '${method}',`]),
      ...(headers.length === 0 ? [] : [`headers: {\n  ${headers.join('\n  ')}\n},`]),
      ...(body === null ? [] : [`body: ${data(body)},`]),
    ];
    const parts = options.length === 0 ? '' : `, {\n  ${indented(options.join('\n'), 2)}\n}`;
    return [
      ...(body !== null && 'file' in body ? ["import { readFile } from 'node:fs/promises';", ''] : []),
      `const answer = await fetch('${url}'${parts});`,
      'if (!answer.ok) throw new Error(await answer.text());',
      ...{
        json: ['console.log(await answer.json());'],
        text: ['console.log(await answer.text());'],
        bytes: ['const bytes = await answer.bytes();'],
        nothing: [],
      }[answers],
    ].join('\n');
  },
};

function data(body: SampleBody): string {
  return 'file' in body
    ? `await readFile('${body.file}')`
    : `JSON.stringify(${JSON.stringify(body.value, null, 2)})`;
}

function throughClient(
  { credential, body, answers }: SampleRequest,
  { resource, method, pathArguments, query, baseUrl, isList }: SampleCall,
  { from, className, variable }: ClientLibrary,
): string {
  const token = credential === 'OPERATOR_TOKEN' ? 'operatorToken' : 'apiKey';
  const given = [
    ...pathArguments.map((name) => `'${name}'`),
    ...(body === null ? [] : ['file' in body ? `await readFile('${body.file}')` : literal(body.value)]),
    ...(Object.keys(query).length === 0 ? [] : [literal(query)]),
  ];
  const call = `${variable}.${resource}.${method}(${given.join(', ')})`;
  return [
    ...(body !== null && 'file' in body ? ["import { readFile } from 'node:fs/promises';"] : []),
    `import { ${className} } from '${from}';`,
    '',
    `const ${variable} = new ${className}({`,
    `  baseUrl: '${baseUrl}',`,
    `  ${token}: process.env.${credential},`,
    '});',
    ...(isList
      ? [`for await (const item of ${call}) {`, '  console.log(item);', '}']
      : {
          json: [`const result = await ${call};`, 'console.log(result);'],
          text: [`const file = await ${call};`, 'console.log(await file.text());'],
          bytes: [`const file = await ${call};`, 'const bytes = await file.bytes();'],
          nothing: [`await ${call};`],
        }[answers]),
  ].join('\n');
}

/** A value of JSON as people write it in a program. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Array.isArray(value)
    ? value.map(literal)
    : Object.entries(value).map(
        ([name, inner]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)}: ${literal(inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${close}`;
  const line = Array.isArray(value) ? `[${entries.join(', ')}]` : `{ ${entries.join(', ')} }`;
  if (line.length <= 60 && !line.includes('\n')) return line;
  return `${open}\n  ${indented(entries.join(',\n'), 2)},\n${close}`;
}

function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}
