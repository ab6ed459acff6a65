import type { RunningApp } from '../app.ts';

/** Longest time between the signal and the end of the process: the grace that orchestrators usually give is 30 s. */
const mostShutdownMs = 28_000;
/** A Ctrl-C under `npm start` comes twice: from the terminal, and from npm. */
const sameSignalMs = 1_000;

/** What the first signal asks for. */
export interface Asked {
  readonly signal: NodeJS.Signals;
  readonly drainMs: number;
}

interface StopSignals {
  /** Whether a signal has come. */
  readonly isAsked: boolean;
  /** Resolves with the first one. */
  readonly asked: Promise<Asked>;
  /** What is cut when the end does not come in time. */
  watch(running: RunningApp): void;
}

interface Options {
  readonly drainMs: number;
  /** What SIGHUP means instead of the end; false where it means that. */
  readonly onHangUp?: (() => boolean) | undefined;
}

/** Listens to SIGTERM, SIGINT and SIGHUP. A second one later, or too long a wait, ends the process at once, with 1. */
export function listenToSignals({ drainMs, onHangUp }: Options): StopSignals {
  const { promise: asked, resolve } = Promise.withResolvers<Asked>();
  let askedAt: number | null = null;
  let running: RunningApp | null = null;
  const cut = (reason: string) => {
    running?.app.log.warn({ requests: running.inFlight }, `${reason}: ended at once`);
    process.exit(1);
  };
  const ask = (signal: NodeJS.Signals, drainMs: number) => {
    const now = performance.now();
    // An operator who asks twice does not want to wait.
    if (askedAt !== null && now - askedAt > sameSignalMs) cut('a second signal');
    if (askedAt !== null) return;
    askedAt = now;
    setTimeout(() => cut(`not stopped in ${mostShutdownMs} ms`), mostShutdownMs).unref();
    resolve({ signal, drainMs });
  };
  process.on('SIGTERM', () => ask('SIGTERM', drainMs));
  // Ctrl-C and a closed terminal: no load balancer has to notice first.
  process.on('SIGINT', () => ask('SIGINT', 0));
  process.on('SIGHUP', () => {
    if (onHangUp?.() !== true) ask('SIGHUP', 0);
  });
  return {
    get isAsked() {
      return askedAt !== null;
    },
    asked,
    watch(app) {
      running = app;
    },
  };
}
