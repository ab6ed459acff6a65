import { ownScript } from '../own-script.ts';
import type { DecoderAnswer } from './decode.worker.ts';
import type { Code, Decoder } from './decoder.ts';

/** A worker that takes longer for one picture, or to start, is taken for dead. */
const timeoutMs = 20_000;

/** Our own decoder, which loads 0.4 MB, and works outside of the page. */
export async function openWorkerDecoder(): Promise<Decoder> {
  const { address } = await import('./decode.worker.ts');
  const worker = new Worker(ownScript(address), { type: 'module' });
  let fail: (error: Error) => void = () => undefined;
  const answer = () =>
    new Promise<readonly Code[]>((resolve, reject) => {
      const timer = setTimeout(() => fail(new Error('the worker does not answer')), timeoutMs);
      fail = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      worker.onmessage = ({ data }: MessageEvent<DecoderAnswer>) => {
        clearTimeout(timer);
        if ('codes' in data) resolve(data.codes);
        else reject(new Error(data.failure));
      };
    });
  worker.onerror = (event) => fail(new Error(event.message));
  const close = () => {
    worker.terminate();
    fail(new Error('the worker was ended'));
  };
  try {
    await answer();
  } catch (error) {
    close();
    throw error;
  }
  let idle: Promise<unknown> = Promise.resolve();
  return {
    decode(picture) {
      const answered = idle.then(() => {
        worker.postMessage(picture, [picture]);
        return answer();
      });
      idle = answered.catch(() => undefined);
      return answered;
    },
    close,
  };
}
