import { reachedFrom } from './import-graph.ts';

/** What starts a database or a service, or uses those that a run of all tests starts. */
const needsDatabase =
  /^(?:test\/(?:harness|server|service-process|run-command)|src\/kit\/embedded-postgres\/start|src\/main)\.ts$/;

/** Those of these test files that need no database: none of what they import, or name as a test of theirs, does. */
export function unitFiles(files: readonly string[]): string[] {
  return files.filter((file) => ![...reachedFrom([file])].some((path) => needsDatabase.test(path)));
}
