import type { RecordedCall } from '../calls.ts';

/** A call as a developer with a key makes it in a shell. */
export function asCurl({ method, path, body, isKeyed }: RecordedCall, origin: string): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin + path)}`,
    '-H "Authorization: Bearer $PUNCHCARD_KEY"',
    ...(isKeyed ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
  ];
  if (body !== null && 'json' in body)
    lines.push(
      `-H 'Content-Type: application/json'`,
      `-d ${quoted(JSON.stringify(body.json, null, 2).replaceAll('\n', '\n  '))}`,
    );
  else if (body !== null)
    lines.push(`-H ${quoted(`Content-Type: ${body.mediaType}`)}`, '--data-binary @FILE');
  return lines.join(' \\\n  ');
}

/** The same with the TypeScript client; null where its name is not known. */
export function asTypescript({ code }: RecordedCall, origin: string): string | null {
  if (code === null) return null;
  return `import { Punchcard } from 'punchcard-client';

const punchcard = new Punchcard({
  baseUrl: '${origin}',
  apiKey: process.env.PUNCHCARD_KEY,
});
await ${code};
`;
}

/** One word for a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
