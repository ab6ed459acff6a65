import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Code, Decoder } from './decoder.ts';
import { openDecoder } from './open-decoder.ts';
import { readCodes } from './read-codes.ts';
import { SeenCodes } from './seen-codes.ts';

/** These codes belong to the page, not to one view of the camera: the card that was just looked up is still in front of it. */
const seen = new SeenCodes();

/** Opened once and kept, since each card that is shown takes the place of the camera's page. */
let opening: Promise<Decoder> | null = null;

function sharedDecoder(): Promise<Decoder> {
  opening ??= openDecoder();
  return opening;
}

/** It has failed: the next one who wants it gets a new one. */
function giveUp(failed: Promise<Decoder>): void {
  if (failed === opening) opening = null;
  failed.then((decoder) => decoder.close()).catch(() => undefined);
}

/** Reports the codes that come into view while `isOn`. */
export function useCodes(
  video: RefObject<HTMLVideoElement | null>,
  isOn: boolean,
  found: (code: Code) => void,
): { readonly isBroken: boolean; retry(): void } {
  const [isBroken, setBroken] = useState(false);
  const latest = useRef(found);
  latest.current = found;

  useEffect(() => {
    if (!isOn || isBroken) return;
    const ending = new AbortController();
    const { signal } = ending;
    const decoder = sharedDecoder();
    const read = async () => {
      const ready = await decoder;
      if (video.current === null || signal.aborted) return;
      await readCodes(video.current, ready, seen, (code) => latest.current(code), signal);
    };
    read().catch(() => {
      giveUp(decoder);
      if (!signal.aborted) setBroken(true);
    });
    return () => ending.abort();
  }, [isOn, isBroken]);
  return { isBroken, retry: () => setBroken(false) };
}
