import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { Link } from '../processes/process-link.ts';
import { createSharedWork } from '../shared-work.ts';

/** What the metrics of one process come to, as JSON can say it. */
export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The figures of several processes. */
export interface Gathered {
  /** How many run, and how many of them have answered in time. */
  readonly running: number;
  readonly answered: number;
  /** To be added up. */
  readonly figures: readonly Figures[];
}

/** Asks processes for their figures, and keeps what those have counted that are gone. */
export interface FigureGatherer {
  /** Those who ask meanwhile get the same. */
  gather(links: () => readonly Link[]): Promise<Gathered>;
  /** That process has ended. */
  forget(link: Link): void;
}

const usualPatienceMs = 1_000;
/** Longer than the parent waits for each of its processes. */
const gatherMs = 3_000;

/**
 * What the parent has gathered from all its processes. While it does not answer, what this one has that comes and goes:
 * what it has counted would look as if all the others had begun anew.
 */
export async function gatherFrom(parent: Link, own: () => Promise<Figures>): Promise<Gathered> {
  try {
    return await parent.ask<Gathered>('gather', null, gatherMs);
  } catch {
    const figures = (await own()).filter((figure) => !isCounted(figure));
    return { running: 1, answered: 1, figures: [figures] };
  }
}

/**
 * A sum must not fall when a process ends or does not answer: whoever watches would take it for a restart, and count all
 * that the others have counted once more. So what a process had counted when it was asked last stays in the sum.
 */
export function createFigureGatherer(patienceMs = usualPatienceMs): FigureGatherer {
  const latest = new WeakMap<Link, Figures>();
  const work = createSharedWork<Gathered>();
  let gone: Promise<Figures> = Promise.resolve([]);

  async function askAll(links: readonly Link[]): Promise<Gathered> {
    let answered = 0;
    // As of now: who ends meanwhile must not be in both.
    const [ended, known] = [gone, links.map((link) => latest.get(link) ?? [])];
    const figures = await Promise.all(
      links.map(async (link, at) => {
        try {
          const told = await link.ask<Figures>('figures', null, patienceMs);
          latest.set(link, told);
          answered += 1;
          return told;
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
