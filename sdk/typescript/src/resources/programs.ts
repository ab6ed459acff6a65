import type { CallOptions, FileBody } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { FileResult, Result } from '../core/result.ts';
import type {
  BalancesReport,
  ImportBalancesQuery,
  ListProgramsQuery,
  NewProgram,
  Program,
  ProgramChanges,
  ProgramPreview,
  ProgramSummary,
  ProgramWithHistory,
} from '../types.ts';

export class ProgramsResource extends Resource {
  /**
   * Create the loyalty program of a pass.
   *
   * `POINTS` collects points and spends `reward.cost` of them on a reward; `STAMPS` unlocks a reward
   * whenever `threshold` stamps are full. A pass has one program at most. It begins as `not_launched`:
   * PATCH it with `{"status":"active"}` to launch it, and its cards show it.
   *
   * Refused with `forbidden`, `pass_not_found`, `pass_already_dynamic`.
   */
  create(body: NewProgram, options?: CallOptions): Promise<ProgramWithHistory & Result> {
    return this.sender.json<ProgramWithHistory>(
      { method: 'POST', path: '/loyalty/programs', body, key: 'header' },
      options,
    );
  }

  /**
   * List loyalty programs.
   *
   * Newest first; of a key that is restricted to some passes, those of these passes.
   */
  list(query?: ListProgramsQuery, options?: CallOptions): List<Program> {
    return this.sender.list<Program>({ method: 'GET', path: '/loyalty/programs', query }, options);
  }

  /**
   * A loyalty program.
   *
   * Its rules, its state, and the states that it came into.
   *
   * Refused with `forbidden`, `program_not_found`.
   */
  get(programId: string, options?: CallOptions): Promise<ProgramWithHistory & Result> {
    return this.sender.json<ProgramWithHistory>(
      { method: 'GET', path: path`/loyalty/programs/${programId}` },
      options,
    );
  }

  /**
   * Change a loyalty program, or launch, pause or resume it.
   *
   * Absent leaves alone. `{"status":"active"}` launches a program whose pass is published, or resumes it;
   * `{"status":"paused"}` pauses it: until it is resumed, nothing is earned or redeemed. From the launch
   * on, what cards show of it changes for all holders at once, and installed cards are pushed to in the
   * background. Points and rewards that holders have stay as they are; what fills cards by a lower
   * `threshold` becomes their rewards in the background.
   *
   * Refused with `forbidden`, `program_not_found`, `program_state_conflict`.
   */
  update(
    programId: string,
    body: ProgramChanges,
    options?: CallOptions,
  ): Promise<ProgramWithHistory & Result> {
    return this.sender.json<ProgramWithHistory>(
      { method: 'PATCH', path: path`/loyalty/programs/${programId}`, body, key: 'header' },
      options,
    );
  }

  /**
   * What a change of a loyalty program would do.
   *
   * Writes nothing. The body is that of the change. Says how many cards would show something else, what
   * the pushes would cost, and how many cards would have a reward that they do not have now.
   *
   * Refused with `forbidden`, `program_not_found`.
   */
  preview(programId: string, body: ProgramChanges, options?: CallOptions): Promise<ProgramPreview & Result> {
    return this.sender.json<ProgramPreview>(
      { method: 'POST', path: path`/loyalty/programs/${programId}/preview`, body },
      options,
    );
  }

  /**
   * What a loyalty program has given out and taken back.
   *
   * The totals of the ledger next to the sum of all balances, which must agree.
   *
   * Refused with `forbidden`, `program_not_found`.
   */
  summary(programId: string, options?: CallOptions): Promise<ProgramSummary & Result> {
    return this.sender.json<ProgramSummary>(
      { method: 'GET', path: path`/loyalty/programs/${programId}/summary` },
      options,
    );
  }

  /**
   * The balances of a program as CSV.
   *
   * A line per card that has ever had a point, voided ones included. Text that a spreadsheet would take
   * for a formula begins with an apostrophe, which the import takes away again.
   *
   * Refused with `forbidden`, `recent_sign_in_required`, `program_not_found`.
   */
  exportBalances(programId: string, options?: CallOptions): Promise<FileResult> {
    return this.sender.file(
      { method: 'GET', path: path`/loyalty/programs/${programId}/balances.csv` },
      options,
    );
  }

  /**
   * Set balances to the figures of a CSV file.
   *
   * Up to 20,000 lines; each stands alone. A line names its card by the first of `instanceId`,
   * `identifier` and `barcode` that is not empty: leave `instanceId` out of a file for other cards than
   * those it was exported from. The difference is entered as `import`, in every state of the program; a
   * figure that reaches the threshold unlocks rewards. With an Idempotency-Key a repeat answers what was
   * applied before and wipes nothing that was earned since; without one every call sets the figures anew.
   * `dryRun=true` answers the same report and writes nothing, whatever its key.
   *
   * Refused with `forbidden`, `program_not_found`.
   */
  importBalances(
    programId: string,
    file: FileBody,
    query?: ImportBalancesQuery,
    options?: CallOptions,
  ): Promise<BalancesReport & Result> {
    return this.sender.json<BalancesReport>(
      {
        method: 'POST',
        path: path`/loyalty/programs/${programId}/balances`,
        query,
        file: { mediaType: 'text/csv', content: file },
        key: 'header',
      },
      options,
    );
  }
}
