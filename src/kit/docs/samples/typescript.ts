import { indented, type SampleBody, type SampleLanguage, type SampleRequest } from './sample-request.ts';

/** A module for Node, Deno or Bun, without a library. */
export const typescript: SampleLanguage = {
  name: 'TypeScript',
  hasSingleQuotes: true,
  write({ method, url, credential, takesKey, body, answers }: SampleRequest): string {
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
