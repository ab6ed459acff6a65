import { type CodeFormat, formats } from './code-formats.ts';
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
  const detector = new Detector({ formats: [...Object.values(formats), upcA] });
  return { decode: async (picture) => (await detector.detect(picture)).flatMap(codeOf) };
}

/** What some take an EAN-13 for that begins with a 0, which they leave out. */
const upcA = 'upc_a';

function codeOf({ rawValue, format, cornerPoints }: Detected): Code[] {
  if (format === upcA) return [{ text: `0${rawValue}`, format: 'ean13', corners: cornerPoints }];
  const ours = (Object.keys(formats) as CodeFormat[]).find((one) => formats[one] === format);
  return ours === undefined || rawValue === ''
    ? []
    : [{ text: rawValue, format: ours, corners: cornerPoints }];
}
