import { newKey } from '../../../sdk/typescript/src/core/options.ts';
import type { Reading, Stamp } from './scan-clock.ts';

/** The clocks of the device, and how far the service is ahead of them. */
export class DeviceClock {
  /** Null until the service has answered once, on this device. */
  ahead: number | null;
  readonly #life = newKey();
  readonly #keep: (ahead: number) => void;

  /** `known` is what was kept of the last answer before; `keep` keeps that of the next. */
  constructor(known: number | null, keep: (ahead: number) => void) {
    this.ahead = known;
    this.#keep = keep;
  }

  read(): Reading {
    return { wall: Date.now(), steady: performance.now(), life: this.#life };
  }

  stamp(): Stamp {
    return { ...this.read(), ahead: this.ahead };
  }

  /** Learns from an answer what the time is. It is exact to a second or so. */
  learn(headers: Headers): void {
    const at = Date.parse(headers.get('date') ?? '');
    if (Number.isNaN(at)) return;
    this.ahead = at - Date.now();
    this.#keep(this.ahead);
  }
}
