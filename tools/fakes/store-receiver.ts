import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Takes the webhooks of simulated stores, in the place of a service. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** What it answers. */
  status = 200;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      this.received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(this.status).end();
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhooks`;
  }

  /** The values of a header of all of them. */
  header(name: string): (string | string[] | undefined)[] {
    return this.received.map(({ headers }) => headers[name]);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
