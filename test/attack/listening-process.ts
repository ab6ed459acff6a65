import { fastify } from 'fastify';
import { type Listeners, openListeners } from '../../src/kit/http/capacity/listeners.ts';

/** A process that listens at the host and port of a message, and answers whether it does. */
let app = fastify();
let listeners: Listeners | undefined;

process.on('message', async (at: { host: string; port: number } | { close: true }) => {
  process.send?.('close' in at ? await close() : await listenAt(at));
});

async function listenAt(at: { host: string; port: number }): Promise<string> {
  try {
    listeners = await openListeners(app, at, console.error);
    return 'listening';
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

async function close(): Promise<string> {
  await Promise.all([app.close(), listeners?.close()]);
  app = fastify();
  listeners = undefined;
  return 'closed';
}
