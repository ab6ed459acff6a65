import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createSharedWork } from './shared-work.ts';

/** The figures of one process, in Prometheus's text form. */
export interface Metrics {
  /** Notes an answered request. */
  answered(facts: { readonly op: string; readonly status: number; readonly ms: number }): void;
  text(): Promise<string>;
}

interface Options {
  /** Connections in use and requests waiting for one, asked at every scrape. */
  pool(): { readonly total: number; readonly idle: number; readonly waiting: number };
  /** Further gauges, asked at every scrape. */
  readonly gauges: readonly NamedGauge[];
}

/** A figure by one label. */
export interface NamedGauge {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  read(): Promise<Readonly<Record<string, number>>>;
}

/** A registry of its own, so that several servers in one process do not share figures. */
export function createMetrics({ pool, gauges }: Options): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to its answer',
    labelNames: ['op', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = pool();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waited for' }, waiting);
    },
  });
  // Anybody may scrape, as often as they like: scrapes that come together share what they ask for.
  const readings = createSharedWork<Readonly<Record<string, number>>>();
  for (const { name, help, label, read } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        // A figure that cannot be had now is left out; the others are needed all the more.
        const figures = await readings.share(name, read).catch(() => ({}));
        this.reset();
        for (const [value, figure] of Object.entries(figures)) this.set({ [label]: value }, figure);
      },
    });
  }
  return {
    answered: ({ op, status, ms }) => duration.observe({ op, status }, ms / 1_000),
    text: () => registry.metrics(),
  };
}
