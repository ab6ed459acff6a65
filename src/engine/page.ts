/** Which rows of a list are read: keyset, newest first. */
export interface Page {
  /** Rows to read: one more than the page holds, to know whether another follows. */
  readonly take: number;
  /** The id that the page before ended with. */
  readonly after: string | null;
}
