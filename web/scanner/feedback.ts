import { deviceSettings } from './device-settings.ts';

let audio: AudioContext | undefined;

/** Frequencies and lengths of tones, and a shake, that report a result without a look at the screen. */
const signals = {
  found: { tones: [[1_320, 0.09]], shake: [40] },
  good: {
    tones: [
      [880, 0.08],
      [1_320, 0.14],
    ],
    shake: [60],
  },
  earned: {
    tones: [
      [880, 0.08],
      [1_109, 0.08],
      [1_320, 0.08],
      [1_760, 0.24],
    ],
    shake: [60, 40, 120],
  },
  bad: {
    tones: [
      [220, 0.22],
      [180, 0.28],
    ],
    shake: [120, 60, 120],
  },
} as const;

/** Reports it by a tone and a shake, as the device is set. */
export function giveSignal(what: keyof typeof signals): void {
  // Before the user has touched the page, browsers allow neither and complain.
  if (navigator.userActivation?.hasBeenActive === false) return;
  const { hasSound, vibrates } = deviceSettings.peek();
  if (vibrates) navigator.vibrate?.([...signals[what].shake]);
  if (hasSound) play(signals[what].tones);
}

function play(tones: readonly (readonly [frequency: number, seconds: number])[]): void {
  audio ??= new AudioContext();
  if (audio.state !== 'running') audio.resume().catch(() => undefined);
  let at = audio.currentTime;
  for (const [frequency, seconds] of tones) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = frequency;
    // Fading in and out, or it clicks.
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.2, at + 0.01);
    volume.gain.linearRampToValueAtTime(0, at + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}
