import { isBars } from './code-formats.ts';
import { type Code, type Decoder, nearestToMiddle, type Point } from './decoder.ts';
import type { SeenCodes } from './seen-codes.ts';

/** Ten pictures a second are as fast as a hand moves. */
const pictureMs = 100;
/** The longer side of a picture in pixels: what the longest Code 128 of a card needs. */
const longestSide = 1_280;

/** A part of the video that is shown, in its pixels. */
interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Looks for codes in what is seen of a video until `signal` says to stop, and reports those that have come into view. */
export async function readCodes(
  video: HTMLVideoElement,
  decoder: Decoder,
  seen: SeenCodes,
  found: (code: Code) => void,
  signal: AbortSignal,
): Promise<void> {
  seen.begin(performance.now());
  let once = '';
  while (!signal.aborted) {
    const begun = performance.now();
    let code = await look(video, decoder);
    if (signal.aborted) return;
    // Bars that are read at an angle may be another code. Two readings that agree are right.
    if (code !== null && isBars(code.format) && code.text !== once) {
      once = code.text;
      code = null;
    }
    if (seen.look(code?.text ?? null, performance.now()) && code !== null) found(code);
    await new Promise((resolve) => setTimeout(resolve, Math.max(10, begun + pictureMs - performance.now())));
  }
}

async function look(video: HTMLVideoElement, decoder: Decoder): Promise<Code | null> {
  const part = shownPart(video);
  if (part === null) return null;
  const scale = Math.min(1, longestSide / Math.max(part.width, part.height));
  const size = {
    resizeWidth: Math.round(part.width * scale),
    resizeHeight: Math.round(part.height * scale),
  };
  // The camera may have changed its size between two lines.
  const picture = await createImageBitmap(video, part.x, part.y, part.width, part.height, size).catch(
    () => null,
  );
  if (picture === null) return null;
  const { width, height } = picture;
  const code = nearestToMiddle(await decoder.decode(picture), width, height);
  if (code === null) return null;
  const toVideo = ({ x, y }: Point) => ({
    x: part.x + (x * part.width) / width,
    y: part.y + (y * part.height) / height,
  });
  return { ...code, corners: code.corners.map(toVideo) };
}

/** What `object-fit: cover` leaves of the video; null while there is nothing to see. */
function shownPart(video: HTMLVideoElement): Part | null {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video;
  const isThere = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && videoWidth > 0;
  if (!isThere || clientWidth === 0 || clientHeight === 0) return null;
  const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight);
  const width = Math.round(Math.min(videoWidth, clientWidth / scale));
  const height = Math.round(Math.min(videoHeight, clientHeight / scale));
  return {
    x: Math.floor((videoWidth - width) / 2),
    y: Math.floor((videoHeight - height) / 2),
    width,
    height,
  };
}
