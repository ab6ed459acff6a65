import type { FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { namelessFile } from '../nameless-file.ts';

const heldLength = 131_072;

/**
 * Buffers lines of text: in memory while they are few, then in a temporary file without a name, which disappears with
 * the process. Close it.
 */
export class Spool {
  readonly #folder: string;
  #file: FileHandle | null = null;
  #held = '';
  #written = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds lines, which hold no line break. */
  async add(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    this.#held += `${lines.join('\n')}\n`;
    if (this.#held.length < heldLength) return;
    this.#file ??= await namelessFile(this.#folder);
    const bytes = Buffer.from(this.#held);
    this.#held = '';
    // A single write may end early, on a disk that is filling up. This one goes on, where the last one ended.
    await this.#file.writeFile(bytes);
    this.#written += bytes.length;
  }

  /** All lines in their order, some at a time. It can be read again. */
  async *lines(): AsyncGenerator<string[]> {
    const bytes = Buffer.alloc(Math.min(heldLength, this.#written));
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for (let at = 0; this.#file !== null && at < this.#written; ) {
      const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, at);
      if (bytesRead === 0) throw new Error('a temporary file has been cut short');
      at += bytesRead;
      const lines = (rest + decoder.write(bytes.subarray(0, bytesRead))).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
    }
    if (this.#held !== '') yield this.#held.slice(0, -1).split('\n');
  }

  async close(): Promise<void> {
    this.#held = '';
    await this.#file?.close();
    this.#file = null;
  }
}
