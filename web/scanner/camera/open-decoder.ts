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

/** One decoder until it fails, from then on another: detectors of phones may be there and not work. */
function orElse(first: Decoder, open: () => Promise<Decoder>): Decoder {
  let current = first;
  let isClosed = false;
  return {
    async decode(picture) {
      if (current !== first) return current.decode(picture);
      try {
        return await first.decode(picture);
      } catch {
        first.close();
        const next = await open();
        if (isClosed) next.close();
        current = next;
        // The next picture comes soon.
        return [];
      }
    },
    close() {
      isClosed = true;
      current.close();
    },
  };
}
