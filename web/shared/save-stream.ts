import type { FileResult } from '../../sdk/typescript/src/core/result.ts';
import { saveFile } from './files.ts';

/** A chosen file, where the browser lets pages write to one (Chromium). */
interface SavedFile {
  createWritable(): Promise<{
    write(content: string | Uint8Array): Promise<void>;
    close(): Promise<void>;
    abort(): Promise<void>;
  }>;
}
interface Picker {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<SavedFile>;
}

/**
 * Saves what comes piece by piece as a file, none of which stays in the page's memory: where the browser can, a large one is
 * written to a file that is asked for first, so call this in the click itself; else the browser keeps the pieces, on disk where they are large,
 * until all have come. Answers false where no file was chosen; raises what reading raises, and leaves no half file then.
 */
export async function saveStream(
  name: string,
  pieces: () => AsyncIterable<string | Uint8Array<ArrayBuffer>>,
  { isLarge = false, type = 'text/csv' } = {},
): Promise<boolean> {
  const { showSaveFilePicker } = window as Picker;
  if (!isLarge || showSaveFilePicker === undefined) {
    // A blob each: what a page holds of it is a handle.
    const blobs: Blob[] = [];
    for await (const piece of pieces()) blobs.push(new Blob([piece]));
    saveFile(name, new Blob(blobs, { type }));
    return true;
  }
  const file = await showSaveFilePicker
    .call(window, { suggestedName: name })
    .catch((error: Error) => (error.name === 'AbortError' ? null : Promise.reject(error)));
  if (file === null) return false;
  const writing = await file.createWritable();
  try {
    for await (const piece of pieces()) await writing.write(piece);
    await writing.close();
    return true;
  } catch (error) {
    await writing.abort();
    throw error;
  }
}

/** What a file of the service is made of, as it comes; not all browsers let a stream be iterated. */
export function bytesOf({ stream }: Pick<FileResult, 'stream'>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return piecesOf(stream as ReadableStream<Uint8Array<ArrayBuffer>>);
}

/** The same as text. */
export function textOf({ stream }: Pick<FileResult, 'stream'>): AsyncGenerator<string> {
  const bytes = stream as ReadableStream<Uint8Array<ArrayBuffer>>;
  return piecesOf(bytes.pipeThrough(new TextDecoderStream()));
}

async function* piecesOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
