import { errorName } from './trouble.ts';

/** Enough for the bars of a long code across the width of a phone that is held upright. */
const wanted: MediaTrackConstraints = { width: { ideal: 1920 }, height: { ideal: 1080 } };

/** The picture of a camera: the chosen one where it is there, else the one at the back. */
export async function openCamera(deviceId: string | null): Promise<MediaStream> {
  const isSame = kept?.deviceId === deviceId;
  const before = takeKept();
  if (before?.getVideoTracks().some(({ readyState }) => readyState === 'live') && isSame) return before;
  if (before !== null) closeCamera(before);
  const { mediaDevices } = navigator;
  if (mediaDevices === undefined) throw new DOMException('no cameras', 'NotSupportedError');
  const atTheBack = { ...wanted, facingMode: { ideal: 'environment' } };
  if (deviceId === null) return mediaDevices.getUserMedia({ video: atTheBack });
  try {
    return await mediaDevices.getUserMedia({ video: { ...wanted, deviceId: { exact: deviceId } } });
  } catch (error) {
    // It was unplugged, or the browser has new names for its cameras.
    if (errorName(error) !== 'OverconstrainedError') throw error;
    return mediaDevices.getUserMedia({ video: atTheBack });
  }
}

/** Ends a picture, so that the camera's lamp goes out. */
export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** As long as one looks at a card between two scans: to open it again takes a phone a second. */
const keptForMs = 30_000;

let kept: { readonly stream: MediaStream; readonly deviceId: string | null; end(): void } | null = null;

/** Keeps a picture for the page that opens the camera next; it ends when none does, and when the page is hidden. */
export function keepCamera(stream: MediaStream, deviceId: string | null): void {
  endKept();
  const waiting = setTimeout(endKept, keptForMs);
  const whenHidden = () => document.hidden && endKept();
  document.addEventListener('visibilitychange', whenHidden);
  const end = () => {
    clearTimeout(waiting);
    document.removeEventListener('visibilitychange', whenHidden);
  };
  kept = { stream, deviceId, end };
  whenHidden();
}

/** Ends a picture that was kept. */
export function endKept(): void {
  const stream = takeKept();
  if (stream !== null) closeCamera(stream);
}

function takeKept(): MediaStream | null {
  const before = kept;
  kept = null;
  before?.end();
  return before?.stream ?? null;
}
