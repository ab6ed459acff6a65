/** What is bundled. */
export interface BundleSources {
  /** The folder that all paths are of, with `node_modules` and `package.json` in it. */
  readonly root: string;
  /** Entries of one application share files; applications share none, since small shared files compress worse and each is a request. */
  readonly applications: readonly (readonly string[])[];
}

/** A file that browsers load. Its name contains the hash of its content. */
export interface BundledFile {
  readonly mediaType: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** What a page has to load for an entry: names of files. */
export interface BundledEntry {
  readonly script: string;
  readonly styles: readonly string[];
  /** What the script imports before it runs. */
  readonly imports: readonly string[];
  /** What it loads while it runs, with what that imports. */
  readonly later: readonly string[];
}

export interface Bundle {
  readonly files: ReadonlyMap<string, BundledFile>;
  /** The key is the name of the entry, without its ending. */
  readonly entries: ReadonlyMap<string, BundledEntry>;
}
