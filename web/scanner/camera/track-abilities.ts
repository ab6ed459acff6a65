/** What some cameras can, and the types of browsers' interfaces do not know. */
interface Abilities {
  readonly torch?: boolean;
  readonly zoom?: { readonly min: number; readonly max: number; readonly step?: number };
}

/** How far a camera can zoom. */
export interface ZoomRange {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

export function hasLight(track: MediaStreamTrack): boolean {
  return abilitiesOf(track).torch === true;
}

/** Null where the camera cannot zoom. */
export function zoomRangeOf(track: MediaStreamTrack): ZoomRange | null {
  const { zoom } = abilitiesOf(track);
  if (zoom === undefined || !(zoom.max > zoom.min)) return null;
  return { min: zoom.min, max: zoom.max, step: zoom.step || (zoom.max - zoom.min) / 20 };
}

/** Sets light and zoom of a camera that has them; one that cannot after all goes on as it is. */
export function adjust(track: MediaStreamTrack, { torch, zoom }: { torch?: boolean; zoom?: number }): void {
  // These take the place of all constraints before, so those of the size are said again.
  const advanced = [...(torch === undefined ? [] : [{ torch }]), ...(zoom === undefined ? [] : [{ zoom }])];
  const before = track.getConstraints();
  track
    .applyConstraints({ ...before, advanced: advanced as MediaTrackConstraintSet[] })
    .catch(() => undefined);
}

function abilitiesOf(track: MediaStreamTrack): Abilities {
  return (track.getCapabilities?.() ?? {}) as Abilities;
}
