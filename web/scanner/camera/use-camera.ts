import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { closeCamera, endKept, keepCamera, openCamera } from './open-camera.ts';
import { type Trouble, troubleOf } from './trouble.ts';

/** What is known of the picture: asked for, there, or why it is not. */
export type CameraState =
  | { readonly kind: 'off' | 'asking' }
  | { readonly kind: 'on'; readonly track: MediaStreamTrack }
  | { readonly kind: 'trouble'; readonly trouble: Trouble };

/**
 * Shows a camera in a video while `isWanted` and the page is looked at, and lets go of it otherwise: but for a moment, where
 * another page of the scanner is shown. It tries again by itself when a camera is plugged in, or allowed.
 */
export function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  { isWanted, deviceId }: { readonly isWanted: boolean; readonly deviceId: string | null },
): { readonly state: CameraState; retry(): void } {
  const isVisible = usePageVisible();
  const [state, setState] = useState<CameraState>({ kind: 'off' });
  const [attempt, setAttempt] = useState(0);
  const retry = () => setAttempt((count) => count + 1);
  const isOpen = isWanted && isVisible;

  useEffect(() => {
    if (!isOpen) return endKept();
    const ending = new AbortController();
    let opened: MediaStream | undefined;
    setState({ kind: 'asking' });
    openCamera(deviceId).then(
      (stream) => {
        const [track] = stream.getVideoTracks();
        if (ending.signal.aborted || track === undefined || video.current === null)
          return closeCamera(stream);
        opened = stream;
        track.onended = () => setState({ kind: 'trouble', trouble: 'lost' });
        video.current.srcObject = stream;
        setState({ kind: 'on', track });
      },
      (error: unknown) => {
        if (ending.signal.aborted) return;
        const { userAgent } = navigator;
        setState({ kind: 'trouble', trouble: troubleOf(error, { isSecureContext, userAgent }) });
      },
    );
    return () => {
      ending.abort();
      if (opened !== undefined) {
        opened.getVideoTracks().forEach((track) => {
          track.onended = null;
        });
        keepCamera(opened, deviceId);
      }
      if (video.current !== null) video.current.srcObject = null;
      setState({ kind: 'off' });
    };
  }, [isOpen, deviceId, attempt]);

  const trouble = state.kind === 'trouble' ? state.trouble : null;
  useEffect(() => {
    if (trouble === null) return;
    const ending = new AbortController();
    const { signal } = ending;
    if (trouble === 'none' || trouble === 'lost')
      navigator.mediaDevices?.addEventListener('devicechange', retry, { signal });
    if (trouble === 'refused')
      // Firefox knows no such permission.
      navigator.permissions?.query({ name: 'camera' as PermissionName }).then(
        (permission) => permission.addEventListener('change', retry, { signal }),
        () => undefined,
      );
    return () => ending.abort();
  }, [trouble]);
  return { state, retry };
}

function usePageVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    look();
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
}

/** The cameras that there are; they cannot be distinguished before one was opened. */
export function useCameras(isOn: boolean): readonly MediaDeviceInfo[] {
  const [cameras, setCameras] = useState<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    if (!isOn) return;
    const ending = new AbortController();
    const list = () => {
      navigator.mediaDevices.enumerateDevices().then(
        (devices) => {
          if (!ending.signal.aborted) setCameras(devices.filter(({ kind }) => kind === 'videoinput'));
        },
        () => undefined,
      );
    };
    navigator.mediaDevices.addEventListener('devicechange', list, { signal: ending.signal });
    list();
    return () => ending.abort();
  }, [isOn]);
  return cameras;
}
