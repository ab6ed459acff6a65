import { readsAllFormats } from './code-formats.ts';
import type { Decoder } from './decoder.ts';
import { type BarcodeDetectorKind, nativeDecoder } from './native-decoder.ts';
import { openWorkerDecoder } from './worker-decoder.ts';

/** What reads codes in this browser: its own detector, or ours where that does not read all formats, or fails. */
export async function openDecoder(): Promise<Decoder> {
  const Detector = (globalThis as { readonly BarcodeDetector?: BarcodeDetectorKind }).BarcodeDetector;
  if (Detector === undefined || !(await readsAllFormats(Detector))) return openWorkerDecoder();
  return orElse(nativeDecoder(Detector), openWorkerDecoder);
}

/**
 * The browser's detector until it fails, from then on our own: detectors of phones may be there and not work. Ours reads, too, what is
 * not ASCII, since the others guess its character set and do not give the bytes.
 */
function orElse(first: Pick<Decoder, 'decode'>, open: () => Promise<Decoder>): Decoder {
  let opening: Promise<Decoder> | null = null;
  let hasFailed = false;
  const second = () => {
    opening ??= open();
    return opening;
  };
  return {
    async decode(picture) {
      try {
        const codes = hasFailed ? null : await first.decode(picture);
        if (codes?.every(({ text }) => /^\p{ASCII}*$/u.test(text))) {
          picture.close();
          return codes;
        }
      } catch {
        hasFailed = true;
        picture.close();
        await second();
        // The next picture comes soon.
        return [];
      }
      return (await second()).decode(picture);
    },
    close() {
      opening?.then(
        (decoder) => decoder.close(),
        () => undefined,
      );
    },
  };
}
