import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type PrometheusContentType,
  Registry,
} from 'prom-client';
import type { Link } from '../processes/process-link.ts';
import { createSharedWork } from '../shared-work.ts';
import { type Figures, type Gathered, gatherFrom } from './figures-of-processes.ts';

/** The figures of a process, or of several that run together. */
export interface Metrics {
  /** Notes an answered request. */
  answered(facts: { readonly op: string; readonly status: number; readonly ms: number }): void;
  /** In Prometheus's text form. */
  text(): Promise<string>;
}

interface Options {
  /** Connections in use and requests waiting for one, asked at every scrape. */
  pool(): { readonly total: number; readonly idle: number; readonly waiting: number };
  /** Further gauges, asked at every scrape. */
  readonly gauges: readonly NamedGauge[];
  /** The process that has started this one and its like, and gathers the figures of all; without it this one runs alone. */
  readonly parent?: Link | undefined;
}

/** A figure by one label. */
export interface NamedGauge {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** How the figures of several processes become one. Without it the figure is the same in each, and one is asked. */
  readonly together?: 'sum' | 'max';
  read(): Promise<Readonly<Record<string, number>>>;
}

/** A registry of its own, so that several servers in one process do not share figures. */
export function createMetrics({ pool, gauges, parent }: Options): Metrics {
  const registry = new Registry();
  const common = new Registry();
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
  for (const { name, help, label, read, together } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [together === undefined ? common : registry],
      ...(together !== undefined && { aggregator: together }),
      async collect() {
        // A figure that cannot be had now is left out; the others are needed all the more.
        const figures = await readings.share(name, read).catch(() => ({}));
        this.reset();
        for (const [value, figure] of Object.entries(figures)) this.set({ [label]: value }, figure);
      },
    });
  }
  const figures = (): Promise<Figures> => registry.getMetricsAsJSON();
  parent?.answer('figures', figures);
  return {
    answered: ({ op, status, ms }) => duration.observe({ op, status }, ms / 1_000),
    async text() {
      const own = parent === undefined ? registry : addUp(await gatherFrom(parent, figures));
      return (await Promise.all([own.metrics(), common.metrics()])).join('\n');
    },
  };
}

/** One registry of what several processes have said. */
function addUp({ running, answered, figures }: Gathered): Registry {
  const sum = AggregatorRegistry.aggregate<PrometheusContentType>([...figures]);
  const processes = new Gauge({
    name: 'processes',
    help: 'Processes that run together, and those of them whose figures are in this answer',
    labelNames: ['state'],
    registers: [sum],
  });
  processes.set({ state: 'running' }, running);
  processes.set({ state: 'answered' }, answered);
  return sum;
}
