import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { recall, remember } from '../../shared/remembered.ts';
import { camera } from '../../texts/camera.ts';
import { adjust, hasLight, zoomRangeOf } from './track-abilities.ts';
import { useCameras } from './use-camera.ts';

/** Light, zoom and which camera, as far as there is a choice. */
export function CameraControls({
  track,
  choose,
}: {
  readonly track: MediaStreamTrack;
  readonly choose: (deviceId: string) => void;
}) {
  const t = camera();
  const cameras = useCameras(true);
  const range = zoomRangeOf(track);
  const [torch, setTorch] = useState(false);
  // As the camera has it, until the user has chosen: the least may be another lens.
  const [zoom, setZoom] = useState(recall('camera-zoom'));
  const chosen =
    range === null || zoom === null ? undefined : Math.min(range.max, Math.max(range.min, Number(zoom)));
  useEffect(() => {
    if (hasLight(track) || chosen !== undefined)
      adjust(track, { torch: hasLight(track) ? torch : undefined, zoom: chosen });
  }, [track, torch, chosen]);
  const current = track.getSettings() as MediaTrackSettings & { readonly zoom?: number };
  return (
    <>
      {hasLight(track) && (
        <Button kind={torch ? 'primary' : 'quiet'} icon="light" onClick={() => setTorch(!torch)}>
          {torch ? t.lightOff : t.lightOn}
        </Button>
      )}
      {range !== null && (
        <label class="camera-zoom">
          {t.zoom}
          <input
            type="range"
            min={range.min}
            max={range.max}
            step={range.step}
            value={chosen ?? current.zoom}
            onInput={({ currentTarget }) => {
              remember('camera-zoom', currentTarget.value);
              setZoom(currentTarget.value);
            }}
          />
        </label>
      )}
      {cameras.length > 1 && (
        <label class="camera-choice">
          <span class="unseen">{t.which}</span>
          <select value={current.deviceId} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {cameras.map(({ deviceId, label }, at) => (
              <option key={deviceId} value={deviceId}>
                {label || t.numbered(at + 1)}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
