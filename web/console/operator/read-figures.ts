/** A figure of `GET /metrics`, by one of its labels. */
export interface Figure {
  readonly name: string;
  readonly label: string;
  readonly value: number;
}

/** Those that concern the work of the service, not the memory and the clocks of its processes. */
const ours =
  /^(?:certificate_expires_seconds|pushes_waiting|wallet_stopped|mails_waiting|webhook_deliveries_waiting|webhooks|store_webhooks|sweeps_running|ledger_findings|rate_limits_degraded|database_connections|processes)$/;

/** Reads the figures of the service out of Prometheus's text form. */
function readFigures(text: string): Figure[] {
  return text.split('\n').flatMap((line) => {
    const [, name = '', label = '', value = ''] = /^(\w+)(?:\{\w+="([^"]*)"\})? (\S+)$/.exec(line) ?? [];
    return ours.test(name) ? [{ name, label, value: Number(value) }] : [];
  });
}

/** Whether a service answers at a path, as its load balancer would ask. */
async function answers(path: string, signal: AbortSignal | undefined): Promise<boolean> {
  const response = await fetch(path, { signal, credentials: 'omit', cache: 'no-store' }).catch(() => null);
  signal?.throwIfAborted();
  return response?.ok === true;
}

export async function loadService(signal: AbortSignal | undefined) {
  const [isAlive, isReady, metrics] = await Promise.all([
    answers('/healthz', signal),
    answers('/readyz', signal),
    fetch('/metrics', { signal, credentials: 'omit' }).then((response) => response.text()),
  ]);
  return { isAlive, isReady, figures: readFigures(metrics) };
}
