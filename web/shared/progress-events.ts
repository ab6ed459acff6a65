import { useEffect, useRef } from 'preact/hooks';
import type { CallOptions } from '../../sdk/typescript/src/core/options.ts';
import type { FileResult } from '../../sdk/typescript/src/core/result.ts';
import { isRefusal } from './api-error.ts';

const restMs = 2_000;

/**
 * Shows long work as it goes on, by the events that the service sends of it (`watch`), while `isOn`. A connection that breaks
 * off is made again; its first event is how far the work is, so nothing is missed.
 */
export function useProgress<T>(
  isOn: boolean,
  watch: (options: CallOptions) => Promise<FileResult>,
  show: (shown: T) => void,
  on: readonly unknown[],
): void {
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    if (!isOn) return;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const follow = async () => {
      try {
        const answered = await watch({ signal: ending.signal });
        for await (const { type, data } of readEvents(textOf(answered))) {
          latest.current(data as T);
          if (type === 'done') return;
        }
      } catch (error) {
        if (isRefusal(error)) return;
      }
      if (!ending.signal.aborted) timer = setTimeout(follow, restMs);
    };
    void follow();
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [isOn, ...on]);
}

/** The events of a stream (HTML Standard, "Server-sent events"), their data as JSON; comments are none. */
async function* readEvents(
  pieces: AsyncIterable<string>,
): AsyncGenerator<{ readonly type: string; readonly data: unknown }> {
  let rest = '';
  for await (const piece of pieces) {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = field('data');
      if (data !== undefined) yield { type: field('event') ?? 'message', data: JSON.parse(data) };
    }
  }
}

/** What a file of the service says, as it comes; not all browsers let a stream be iterated. */
async function* textOf({ stream }: FileResult): AsyncGenerator<string> {
  const bytes = stream as ReadableStream<Uint8Array<ArrayBuffer>>;
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
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
