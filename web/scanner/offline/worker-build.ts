/** What the service gives the worker of its build: `src/web-apps/scanner-worker.ts` writes it before the worker's own code. */
export interface WorkerBuild {
  /** Another one for each build. */
  readonly version: string;
  /** The address of the page. */
  readonly page: string;
  /** Where files are whose name is derived from their content. */
  readonly assets: string;
  /** Addresses of files that the page needs to open. */
  readonly now: readonly string[];
  /** Those that it loads when they are needed. */
  readonly later: readonly string[];
}
