import type { CodeFormat } from './code-formats.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A code in a picture. */
export interface Code {
  readonly text: string;
  readonly format: CodeFormat;
  /** Where it is, in pixels of the picture. */
  readonly corners: readonly Point[];
}

/** Finds the codes of a picture, one picture after the other. The picture is closed afterwards. */
export interface Decoder {
  decode(picture: ImageBitmap): Promise<readonly Code[]>;
  close(): void;
}

/** The code that is nearest to the middle: the one that the user aims at. */
export function nearestToMiddle(codes: readonly Code[], width: number, height: number): Code | null {
  const distance = ({ corners }: Code) => {
    const middle = (axis: 'x' | 'y') =>
      corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
    return Math.hypot(middle('x') - width / 2, middle('y') - height / 2);
  };
  return codes.reduce<Code | null>(
    (best, code) => (best === null || distance(code) < distance(best) ? code : best),
    null,
  );
}
