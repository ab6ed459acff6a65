import type { UploadReport } from '../../../../sdk/typescript/src/types.ts';
import { attempt } from '../../../shared/data.ts';
import { api } from '../../api.ts';
import type { FileCode } from './pool-file.ts';

type Reason = UploadReport['rejected'][number]['reason'];

/** A code that was left out, and why. */
export interface LeftOut {
  readonly line: number;
  readonly code: string;
  readonly reason: Reason;
}

/** How far an upload has come. */
export interface UploadProgress {
  readonly done: number;
  readonly added: number;
  /** Of codes that were there before. */
  readonly known: number;
  readonly rejected: readonly LeftOut[];
}

export const nothingUploaded: UploadProgress = { done: 0, added: 0, known: 0, rejected: [] };

/** So many codes go in a call: it takes a second or two. */
const atOnce = 5_000;

/** Uploads codes from where `begun` has stopped, until the signal ends it. A part that is sent again adds nothing twice. */
export async function uploadCodes(
  passId: string,
  codes: readonly FileCode[],
  begun: UploadProgress,
  signal: AbortSignal,
  onStep: (progress: UploadProgress) => void,
): Promise<void> {
  let progress = begun;
  while (progress.done < codes.length && !signal.aborted) {
    const some = codes.slice(progress.done, progress.done + atOnce);
    const barcodes = some.map(({ code }) => code);
    const { added, duplicates, rejected } = await attempt(() =>
      api.barcodes.upload(passId, { barcodes }, { signal, timeoutMs: 120_000 }),
    );
    // The service counts the places of the call.
    const leftOut = rejected.map(({ line, reason }) => {
      const { line: own = 0, code = '' } = some[line - 1] ?? {};
      return { line: own, code, reason };
    });
    progress = {
      done: progress.done + some.length,
      added: progress.added + added,
      known: progress.known + duplicates,
      rejected: [...progress.rejected, ...leftOut],
    };
    onStep(progress);
  }
}
