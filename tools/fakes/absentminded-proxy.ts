import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of a service that says 404 by itself while it knows of no service behind it. */
export class AbsentmindedProxy {
  readonly #server: Server;
  readonly #target: string;
  #isAbsent = false;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((incoming, response) => this.#answer(incoming, response));
  }

  static async start(target: string): Promise<AbsentmindedProxy> {
    const proxy = new AbsentmindedProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends all connections, and answers 404 from now on. */
  forget(): void {
    this.#isAbsent = true;
    this.#server.closeAllConnections();
  }

  remember(): void {
    this.#isAbsent = false;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(incoming: IncomingMessage, response: ServerResponse): void {
    if (this.#isAbsent) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404 page not found</h1>');
      return;
    }
    const { method, headers, url = '/' } = incoming;
    const outgoing = request(`${this.#target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }
}
