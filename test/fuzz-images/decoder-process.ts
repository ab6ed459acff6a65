import { existsSync, readFileSync } from 'node:fs';
import { loadSharp } from '../../src/kit/pictures/sharp.ts';
import { ImageRefused, makeRenditions } from '../../src/passes/images/make-renditions.ts';
import type { ImageSlot } from '../../src/passes/pass-row.ts';
import { cpuMs } from '../cpu-ms.ts';

/** What a decoder of its own process is asked, and answers. */
export interface Task {
  readonly slot: ImageSlot;
  readonly bytes: Buffer;
}

export interface Outcome {
  /** `taken`, the reason of a refusal, or `error`. */
  readonly what: string;
  readonly message?: string;
  /** What it took of a processor. */
  readonly cpuMs: number;
  /** Of the process so far. */
  readonly peakBytes: number;
}

if (process.send) {
  process.on('message', async (task: Task) => {
    const before = cpuMs();
    const found = await decode(task);
    process.send?.({ ...found, cpuMs: cpuMs() - before, peakBytes: peakBytes() } satisfies Outcome);
  });
}

/** Linux has a child's `maxRSS` begin with what its parent held. */
function peakBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const [, kilobytes = process.resourceUsage().maxRSS] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kilobytes) * 1_024;
}

async function decode({ slot, bytes }: Task): Promise<Pick<Outcome, 'what' | 'message'>> {
  try {
    const { shown, files } = await makeRenditions(slot, Buffer.from(bytes));
    const sharp = await loadSharp();
    for (const [name, file] of Object.entries({ shown, ...files })) {
      const { info } = await sharp(file.bytes, { failOn: 'warning' })
        .raw()
        .toBuffer({ resolveWithObject: true });
      if (info.width === file.width && info.height === file.height) continue;
      return {
        what: 'error',
        message: `${name} is ${info.width}×${info.height}, not ${file.width}×${file.height}`,
      };
    }
    return { what: 'taken' };
  } catch (error) {
    if (error instanceof ImageRefused) return { what: error.reason };
    return {
      what: 'error',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}
