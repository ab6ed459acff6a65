import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { recall, remember } from '../../shared/remembered.ts';
import { camera } from '../../texts/camera.ts';
import { CameraControls } from './camera-controls.tsx';
import { CameraTrouble } from './camera-trouble.tsx';
import type { CodeFormat } from './code-formats.ts';
import type { Code } from './decoder.ts';
import { useCamera } from './use-camera.ts';
import { useCodes } from './use-codes.ts';

/** How long the mark on a found code stays. */
const markMs = 900;

interface CameraProps {
  /** A code has come into view. */
  readonly onCode: (code: { readonly text: string; readonly format: CodeFormat }) => void;
}

/** The picture of a camera, which reads codes. Whether it works or not, typing stays possible. */
export function Camera({ onCode }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [isSwitchedOn, setSwitchedOn] = useState(recall('camera') !== 'off');
  const [deviceId, setDeviceId] = useState(recall('camera-device'));
  const [mark, setMark] = useState<Code | null>(null);
  const { state, retry } = useCamera(video, { isWanted: isSwitchedOn, deviceId });
  const track = state.kind === 'on' ? state.track : null;
  const found = (code: Code) => {
    setMark(code);
    onCode({ text: code.text, format: code.format });
  };
  const codes = useCodes(video, track !== null, found);
  useEffect(() => {
    if (mark === null) return;
    const fading = setTimeout(() => setMark(null), markMs);
    return () => clearTimeout(fading);
  }, [mark]);
  useEffect(() => {
    // Some browsers wait for a touch to show a picture that moves.
    if (track !== null) video.current?.play().catch(() => undefined);
  }, [track]);

  const t = camera();
  const turn = (isOn: boolean) => {
    remember('camera', isOn ? null : 'off');
    setSwitchedOn(isOn);
  };
  const choose = (id: string) => {
    remember('camera-device', id);
    setDeviceId(id);
  };
  const isMirrored = track?.getSettings().facingMode === 'user';
  return (
    <section class="camera" aria-label={t.label}>
      <div class="camera-view" data-state={state.kind} hidden={track === null}>
        <div class={isMirrored ? 'camera-picture mirrored' : 'camera-picture'}>
          <video ref={video} muted playsInline aria-label={t.label} />
          {mark !== null && <Mark code={mark} video={video.current} />}
        </div>
        <div class="camera-aim" aria-hidden="true" />
        <p class="camera-hint">{t.aim}</p>
      </div>
      {!isSwitchedOn && <p class="soft">{t.off}</p>}
      {state.kind === 'asking' && (
        <p class="soft" role="status">
          {t.asking}
        </p>
      )}
      {state.kind === 'trouble' && <CameraTrouble trouble={state.trouble} retry={retry} />}
      {codes.isBroken && <CameraTrouble trouble="decoder" retry={codes.retry} />}
      <div class="camera-controls">
        {track !== null && <CameraControls track={track} choose={choose} />}
        <Button kind="quiet" icon={isSwitchedOn ? 'close' : 'camera'} onClick={() => turn(!isSwitchedOn)}>
          {isSwitchedOn ? t.turnOff : t.turnOn}
        </Button>
      </div>
    </section>
  );
}

/** The outline of a code where it was seen. */
function Mark({ code, video }: { readonly code: Code; readonly video: HTMLVideoElement | null }) {
  if (video === null) return null;
  const points = code.corners.map(({ x, y }) => `${x},${y}`).join(' ');
  return (
    <svg
      class="camera-mark"
      viewBox={`0 0 ${video.videoWidth} ${video.videoHeight}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <polygon points={points} />
    </svg>
  );
}
