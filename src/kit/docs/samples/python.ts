import { indented, type SampleBody, type SampleLanguage, type SampleRequest } from './sample-request.ts';

/** A program for Python 3 with nothing but its own library. */
export const python: SampleLanguage = {
  name: 'Python',
  hasSingleQuotes: true,
  write({ method, url, credential, takesKey, body, answers }: SampleRequest): string {
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
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n    ${indented(entries.map((entry) => `${entry},`).join('\n'), 4)}\n${close}`;
}
