import { Agent, type IncomingMessage, request } from 'node:http';
import { contentOf, headersOf } from './http-verbs.ts';

/** What came back, with all of its body; of a stream of events, which has no end, what came first. */
interface PlainAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

const agent = new Agent({ keepAlive: true });

/**
 * Sends what `sendJson` does to a service of this machine. Most of the time of a test goes into requests, and `fetch` takes three times
 * as long for one.
 */
export async function sendPlain(
  url: string,
  method: string,
  secret: string | null,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<PlainAnswer> {
  const [bytes, type] = await encoded(body);
  const sent = {
    accept: '*/*',
    'user-agent': 'node',
    ...(bytes !== null && { 'content-length': String(bytes.length) }),
    ...(type !== null && { 'content-type': type }),
    ...headersOf(secret, body, headers),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(new URL(url), { method, agent, headers: sent })
      .once('response', resolve)
      .on('error', (error) => reject(brokenBy(error)))
      .end(bytes ?? undefined);
  });
  return {
    status: response.statusCode ?? 0,
    headers: headersFrom(response),
    bytes: await bytesFrom(response),
  };
}

/** The body, and its type where only a form says it itself. */
async function encoded(body: unknown): Promise<[bytes: Buffer | null, type: string | null]> {
  if (body === undefined) return [null, null];
  const content = contentOf(body);
  if (!(content instanceof FormData)) return [Buffer.from(content), null];
  const form = new Response(content);
  return [Buffer.from(await form.arrayBuffer()), form.headers.get('content-type')];
}

function headersFrom({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}

async function bytesFrom(response: IncomingMessage): Promise<Buffer> {
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
  const chunks: Buffer[] = [];
  try {
    // To leave the loop ends the connection.
    for await (const chunk of response) {
      chunks.push(chunk);
      if (isStream) break;
    }
  } catch (error) {
    throw brokenBy(error);
  }
  return Buffer.concat(chunks);
}

/** What `fetch` raises where no answer comes, or not all of it: suites that break connections know it by this. */
function brokenBy(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}
