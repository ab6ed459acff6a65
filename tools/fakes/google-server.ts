import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, errorAnswer } from './google-answers.ts';
import { createFaults, type Endpoint, type Fault, type Outcome } from './google-faults.ts';

/** A request to the simulated Google. */
export interface GoogleRequest {
  readonly method: string;
  readonly url: URL;
  readonly authorization: string | undefined;
  readonly text: string;
  /** The text as JSON; undefined when it is none. */
  readonly body: unknown;
}

export interface LoggedRequest {
  /** Milliseconds since 1970, of the real clock. */
  readonly at: number;
  /** null for the pages that a person opens. */
  readonly endpoint: Endpoint | null;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** null as long as it is not answered. */
  status: number | null;
}

/** An HTTP server on the loopback interface that remembers its requests and fails on demand. */
export interface FaultyServer {
  readonly url: string;
  readonly requests: readonly LoggedRequest[];
  /** Takes every request and answers none. */
  isBlackHole: boolean;
  fail(fault: Fault): void;
  close(): Promise<void>;
}

interface FaultyServerOptions {
  /** 0 for a free one. */
  readonly port: number;
  endpointOf(path: string): Endpoint | null;
  answer(request: GoogleRequest): Promise<Answer> | Answer;
  print(line: string): void;
}

export async function startFaultyServer(options: FaultyServerOptions): Promise<FaultyServer> {
  const { port, endpointOf, answer, print } = options;
  const faults = createFaults();
  const requests: LoggedRequest[] = [];
  let isBlackHole = false;

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    const entry = logged(request, endpointOf(request.url.pathname));
    requests.push(entry);
    const outcome = isBlackHole ? 'silence' : catchRefusal(entry);
    if (outcome === 'silence') return;
    if (outcome === 'cut') {
      response.destroy();
      return;
    }
    const given = scripted(outcome) ?? (await answer(request));
    if (outcome === 'cut after') {
      response.destroy();
      return;
    }
    if (isDelay(outcome)) await sleep(outcome.delayMs);
    entry.status = given.status;
    send(response, given);
    print(describe(entry));
  }

  function catchRefusal({ endpoint, method, path }: LoggedRequest): Outcome | null {
    return endpoint === null ? null : faults.take(endpoint, `${method} ${path}`);
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error) => {
      print(`failed: ${error}`);
      if (!response.headersSent) send(response, errorAnswer(500, 'internalError', String(error)));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the simulated Google has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    get isBlackHole() {
      return isBlackHole;
    },
    set isBlackHole(value) {
      isBlackHole = value;
    },
    fail: faults.add,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<GoogleRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const { method = 'GET', url = '/', headers } = incoming;
  return {
    method,
    url: new URL(url, 'http://127.0.0.1'),
    authorization: headers.authorization,
    text,
    body: parsed(text),
  };
}

function logged({ method, url, body }: GoogleRequest, endpoint: Endpoint | null): LoggedRequest {
  return { at: Date.now(), endpoint, method, path: url.pathname, body, status: null };
}

function isDelay(outcome: Outcome | null): outcome is { delayMs: number } {
  return typeof outcome === 'object' && outcome !== null && 'delayMs' in outcome;
}

/** The answer that a fault puts in the place of the real one. */
function scripted(outcome: Outcome | null): Answer | null {
  if (outcome === null || typeof outcome === 'string' || 'delayMs' in outcome) return null;
  const { status, retryAfter, location, reason = 'backendError', message = 'Scripted.', text } = outcome;
  const headers = {
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    ...(location !== undefined && { location }),
  };
  return { status, headers, body: text ?? errorAnswer(status, reason, message).body };
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain' : 'application/json';
  response
    .writeHead(status, { 'content-type': `${type}; charset=utf-8`, ...headers })
    .end(isText ? body : JSON.stringify(body));
}

function describe({ at, method, path, body, status }: LoggedRequest): string {
  const asksToNotify = JSON.stringify(body ?? null).includes('NOTIFY');
  return `${new Date(at).toISOString()} ${status} ${method} ${path}${asksToNotify ? ' (notify)' : ''}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
