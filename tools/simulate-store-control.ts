import { createServer, type IncomingMessage } from 'node:http';
import { OrderRefused } from './fakes/store-orders.ts';
import { actions, controlHelp, type SimulatedStore } from './simulate-store-actions.ts';
import { RequestProblem } from './simulate-store-bodies.ts';

/** Where people make things happen in a simulated store. */
export interface StoreControl {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts it on the loopback interface. */
export async function openStoreControl(store: SimulatedStore, port: number): Promise<StoreControl> {
  const server = createServer(async (incoming, response) => {
    const { status, body } = await answer(store, incoming);
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      .end(`${JSON.stringify(body, null, 2)}\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  store: SimulatedStore,
  incoming: IncomingMessage,
): Promise<{ status: number; body: unknown }> {
  const { method = 'GET', url = '/', headers } = incoming;
  // Pages of the Internet that are open in a browser here shall not play with it.
  const isOurs = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '') && headers.origin === undefined;
  if (!isOurs) return { status: 403, body: { error: 'only for programs on this machine' } };
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const found = actions
    .filter(([known]) => known === method)
    .map(([, path, , action]) => ({ action, match: patternOf(path).exec(pathname) }))
    .find(({ match }) => match !== null);
  if (found === undefined)
    return { status: 404, body: { error: `there is no ${method} ${pathname}`, actions: controlHelp(store) } };
  try {
    const text = await textOf(incoming);
    const body = await found.action(store, { id: Number(found.match?.[1]), query: searchParams, text });
    return { status: 200, body };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): { status: number; body: unknown } {
  if (error instanceof RequestProblem) return { status: 400, body: { error: error.message } };
  if (error instanceof RangeError) return { status: 404, body: { error: error.message } };
  if (error instanceof OrderRefused) {
    const isUnknown = error.message.startsWith('there is no');
    return { status: isUnknown ? 404 : 409, body: { error: error.message } };
  }
  return { status: 500, body: { error: error instanceof Error ? error.message : String(error) } };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace('{id}', '(\\d{1,15})')}$`);
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) {
    text += chunk;
    if (text.length > 1_000_000) throw new RequestProblem('the body is larger than 1 MB');
  }
  return text;
}
