import type { ClientLibrary } from '../site.ts';
import {
  indented,
  type SampleBody,
  type SampleCall,
  type SampleLanguage,
  type SampleRequest,
} from './sample-request.ts';

/** A program for Python 3; with nothing but its own library where the client library has not the call. */
export const python: SampleLanguage = {
  name: 'Python',
  hasSingleQuotes: true,
  write(request: SampleRequest, library: ClientLibrary | undefined): string {
    if (library !== undefined && request.call !== null) return throughClient(request, request.call, library);
    const { method, url, credential, takesKey, body, answers } = request;
    const headers = [
      ...(credential === null ? [] : [`"Authorization": "Bearer " + os.environ["${credential}"],`]),
      ...(takesKey ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
      ...(body === null ? [] : [`"Content-Type": "${body.type}",`]),
    ];
    const options = [
      `"${url}",`,
      ...(method === 'GET' ? [] : [`method="${method}",`]),
      ...(headers.length === 0 ? [] : [`headers={\n    ${headers.join('\n    ')}\n},`]),
      ...(body === null ? [] : [`data=${data(body)},`]),
    ];
    const hasJson = answers === 'json' || (body !== null && 'value' in body);
    const modules = [hasJson && 'json', credential !== null && 'os', takesKey && 'uuid'].filter(Boolean);
    return [
      ...(modules.length === 0 ? [] : [`import ${modules.join(', ')}`]),
      'from urllib.request import Request, urlopen',
      '',
      `request = Request(\n    ${indented(options.join('\n'), 4)}\n)`,
      'with urlopen(request) as answer:',
      `    ${
        {
          json: 'print(json.load(answer))',
          text: 'print(answer.read().decode())',
          bytes: 'content = answer.read()',
          nothing: 'print(answer.status)',
        }[answers]
      }`,
    ].join('\n');
  },
};

/** Ids by position, all else by its name, in `snake_case`. */
function throughClient(
  { credential, body, answers }: SampleRequest,
  { resource, method, pathArguments, query, baseUrl, isList }: SampleCall,
  { from, className, variable }: ClientLibrary,
): string {
  const token = credential === 'OPERATOR_TOKEN' ? 'operator_token' : 'api_key';
  const isFile = body !== null && 'file' in body;
  const named = { ...(isFile ? {} : (body?.value as object | undefined)), ...query };
  const given = [
    ...pathArguments.map((name) => `"${name}"`),
    ...(isFile ? [`${fileArgument(body.type)}=open("${body.file}", "rb").read()`] : []),
    ...Object.entries(named).map(([name, value]) => `${pythonArgument(name)}=${literal(value)}`),
  ];
  const short = given.join(', ');
  const isShort = short.length <= 50 && !short.includes('\n');
  const list = isShort ? short : `\n    ${indented(given.map((one) => `${one},`).join('\n'), 4)}\n`;
  const call = `${variable}.${snakeCase(resource)}.${snakeCase(method)}(${list})`;
  return [
    'import os',
    '',
    `from ${from} import ${className}`,
    '',
    `${variable} = ${className}(`,
    `    base_url="${baseUrl}",`,
    `    ${token}=os.environ["${credential}"],`,
    ')',
    ...(isList
      ? [`for item in ${call}:`, '    print(item)']
      : {
          json: [`result = ${call}`, 'print(result)'],
          text: [`file = ${call}`, 'print(file.text)'],
          bytes: [`file = ${call}`, 'content = file.content'],
          nothing: [call],
        }[answers]),
  ].join('\n');
}

/** `itemId` → `item_id` */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** The name of an argument: as Python spells it, and none of its words. */
export function pythonArgument(name: string): string {
  const spelled = snakeCase(name);
  return pythonWords.has(spelled) ? `${spelled}_` : spelled;
}

/** What the argument of a file is called: `csv`, `image`. */
export function fileArgument(mediaType: string): string {
  const [kind = '', subtype = ''] = mediaType.split('/');
  return kind === 'text' ? subtype : kind;
}

/** What Python does not take as a name. */
export const pythonWords: ReadonlySet<string> = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

function data(body: SampleBody): string {
  return 'file' in body ? `open("${body.file}", "rb").read()` : `json.dumps(${literal(body.value)}).encode()`;
}

/** A value of JSON as Python writes it. */
function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const entries = Array.isArray(value)
    ? value.map(literal)
    : Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${literal(inner)}`);
  const line = `${open}${entries.join(', ')}${close}`;
  if (line.length <= 60 && !line.includes('\n')) return line;
  return `${open}\n    ${indented(entries.map((entry) => `${entry},`).join('\n'), 4)}\n${close}`;
}
