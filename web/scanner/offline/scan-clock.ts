/** What the clocks of a device say at a moment. */
export interface Reading {
  /** Milliseconds since 1970 by the clock of the device, which may be wrong and may be set. */
  readonly wall: number;
  /** Milliseconds by a clock that cannot be set; it stops while the device sleeps. */
  readonly steady: number;
  /** Which life of a page the steady clock is of: another one has another beginning. */
  readonly life: string;
}

/** The clocks when something was entered. */
export interface Stamp extends Reading {
  /** How far the service was ahead of the device when it last answered; null where it never had. */
  readonly ahead: number | null;
}

/**
 * When something was entered, by the clock of the service; null where that cannot be said, because the clock of the device was
 * set since then. `ahead` is how far the service is ahead of the device now.
 */
export function momentOf(stamp: Stamp, now: Reading, ahead: number): Date | null {
  const wasNotSet = stamp.ahead !== null && isNear(stamp.ahead, ahead);
  const ranEvenly = stamp.life === now.life && isNear(now.wall - stamp.wall, now.steady - stamp.steady);
  if (!wasNotSet && !ranEvenly) return null;
  return new Date(Math.min(stamp.wall, now.wall) + ahead);
}

/** How long ago something was entered at least; by the steady clock where it is of the same life. */
export function ageOf(stamp: Stamp, now: Reading): number {
  const byWall = now.wall - stamp.wall;
  return stamp.life === now.life ? Math.max(byWall, now.steady - stamp.steady) : Math.abs(byWall);
}

const nearMs = 60_000;

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= nearMs;
}
