type Close = () => unknown;

/** What stops what was started: the last first, in the order work, connections, server. */
export class Closers {
  #work: (() => Promise<boolean>) | null = null;
  readonly #connections: Close[] = [];
  #server: Close | null = null;

  /** Ends requests and jobs. False when it cut some. */
  work(end: () => Promise<boolean>): void {
    this.#work = end;
  }

  /** Closes what requests and jobs use. */
  push(close: Close): void {
    this.#connections.push(close);
  }

  /** Stops the database server. */
  server(stop: Close): void {
    this.#server = stop;
  }

  /** Whether all work came to its end. A closer that fails keeps none of the others from being called. */
  async closeAll(): Promise<boolean> {
    const failures: unknown[] = [];
    const attempt = async (close: Close | null) => {
      try {
        return await close?.();
      } catch (error) {
        return void failures.push(error);
      }
    };
    const [work, server] = [this.#work, this.#server];
    [this.#work, this.#server] = [null, null];
    const isCut = (await attempt(work)) === false;
    // Work that was cut may hold them for ever; they end with the process.
    const connections = isCut ? [] : this.#connections.splice(0).reverse();
    for (const close of connections) await attempt(close);
    await attempt(server);
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed');
    return !isCut;
  }
}
