import { codeIn, detected } from './code-formats.ts';
import type { Code, Decoder, Point } from './decoder.ts';

interface Detected {
  readonly rawValue: string;
  readonly format: string;
  readonly cornerPoints: readonly Point[];
}

/** What browsers on Android, macOS and ChromeOS have for it (Shape Detection API). */
export interface BarcodeDetectorKind {
  new (options: {
    formats: readonly string[];
  }): { detect(picture: ImageBitmap): Promise<readonly Detected[]> };
  getSupportedFormats(): Promise<readonly string[]>;
}

/** Reads with the browser's own detector, and leaves the picture open. */
export function nativeDecoder(Detector: BarcodeDetectorKind): Pick<Decoder, 'decode'> {
  const detector = new Detector({ formats: detected });
  return { decode: async (picture) => (await detector.detect(picture)).flatMap(codeOf) };
}

function codeOf({ rawValue, format, cornerPoints }: Detected): Code[] {
  const code = codeIn(rawValue, format);
  return code === null ? [] : [{ ...code, corners: cornerPoints }];
}
