import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  type PrometheusContentType,
  Registry,
} from 'prom-client';
import type { Link } from '../processes/process-link.ts';
import { createSharedWork } from '../promises.ts';

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
  // Scrapes are not limited: those that come together share what they ask for.
  const readings = createSharedWork<Readonly<Record<string, number>>>();
  for (const { name, help, label, read, together } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [together === undefined ? common : registry],
      ...(together !== undefined && { aggregator: together }),
      async collect() {
        // A figure that cannot be read now is left out: the others are needed all the same.
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

/** What the metrics of one process come to, as JSON can say it. */
type Figures = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The figures of several processes. */
interface Gathered {
  /** How many run, and how many of them have answered in time. */
  readonly running: number;
  readonly answered: number;
  /** To be added up. */
  readonly figures: readonly Figures[];
}

/** Asks processes for their figures, and keeps what those have counted that are gone. */
export interface FigureGatherer {
  /** Callers that ask while an answer is gathered get the same one. */
  gather(links: () => readonly Link[]): Promise<Gathered>;
  /** That process has ended. */
  forget(link: Link): void;
}

/** How long the parent waits for each of its processes. */
const timeoutMs = 1_000;
/** How long a process waits for the parent, which waits for each of them. */
const gatherMs = 3_000;

/**
 * What the parent has gathered from all its processes. While it does not answer, what this one has that comes and goes:
 * what it has counted would look as if all the others had begun anew.
 */
async function gatherFrom(parent: Link, own: () => Promise<Figures>): Promise<Gathered> {
  try {
    return await parent.ask<Gathered>('gather', null, gatherMs);
  } catch {
    const figures = (await own()).filter((figure) => !isCounted(figure));
    return { running: 1, answered: 1, figures: [figures] };
  }
}

/**
 * A sum must not fall when a process ends or does not answer: Prometheus would take it for a restart, and count all
 * that the others have counted a second time. So what a process had counted when it was asked last stays in the sum.
 */
export function createFigureGatherer(): FigureGatherer {
  const latest = new WeakMap<Link, Figures>();
  const work = createSharedWork<Gathered>();
  let gone: Promise<Figures> = Promise.resolve([]);

  async function askAll(links: readonly Link[]): Promise<Gathered> {
    let answered = 0;
    // As of now: a process that ends during the round must not be in both.
    const [ended, known] = [gone, links.map((link) => latest.get(link) ?? [])];
    const figures = await Promise.all(
      links.map(async (link, at) => {
        try {
          const figures = await link.ask<Figures>('figures', null, timeoutMs);
          latest.set(link, figures);
          answered += 1;
          return figures;
        } catch {
          return counted(known[at] ?? []);
        }
      }),
    );
    return { running: links.length, answered, figures: [await ended, ...figures] };
  }

  return {
    gather: (links) => work.share('figures', () => askAll(links())),
    forget(link) {
      const last = counted(latest.get(link) ?? []);
      latest.delete(link);
      gone = gone.then((before) => AggregatorRegistry.aggregate([[...before], [...last]]).getMetricsAsJSON());
    },
  };
}

function counted(figures: Figures): Figures {
  return figures.filter(isCounted);
}

/** Whether it only grows. */
function isCounted({ type }: Figures[number]): boolean {
  return ['counter', 'histogram'].includes(String(type));
}
