import type { SampleBody, SampleLanguage, SampleRequest } from './sample-request.ts';

/** A command that can be pasted into a shell. */
export const curl: SampleLanguage = {
  name: 'curl',
  hasSingleQuotes: false,
  write({ method, url, credential, takesKey, body, answers }: SampleRequest): string {
    return [
      `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellWord(url)}`,
      ...(credential === null ? [] : [`-H "Authorization: Bearer $${credential}"`]),
      ...(takesKey ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
      ...(body === null ? [] : [`-H "Content-Type: ${body.type}"`, data(body)]),
      ...(answers === 'bytes' ? ['-o answer'] : []),
    ].join(' \\\n  ');
  },
};

function data(body: SampleBody): string {
  return 'file' in body
    ? `--data-binary @${body.file}`
    : `-d '${JSON.stringify(body.value, null, 2).replaceAll("'", "'\\''")}'`;
}

function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
