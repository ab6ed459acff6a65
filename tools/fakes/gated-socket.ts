import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** A TCP connection that can go silent: open, but nothing is read or written, as in a network that swallows it. */
export class GatedSocket extends Duplex {
  readonly #socket: Socket;
  #isSilent: boolean;
  /** The write that came while the gate was shut. */
  #held: (() => void) | null = null;

  constructor(socket: Socket, isSilent: boolean) {
    super();
    this.#socket = socket;
    this.#isSilent = isSilent;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    if (isSilent) socket.pause();
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  set isSilent(value: boolean) {
    this.#isSilent = value;
    if (value) {
      this.#socket.pause();
      return;
    }
    this.#socket.resume();
    this.#held?.();
    this.#held = null;
  }

  override _read(): void {
    if (!this.#isSilent) this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#isSilent) this.#held = () => this.#send(chunk, done);
    else this.#send(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #send(chunk: Buffer, done: () => void): void {
    if (this.#socket.write(chunk)) done();
    else this.#socket.once('drain', done);
  }
}
