/** Variables that let a process write down its statements (`capture.ts`) where those of the tests are written down. */
export function capturing(): Record<string, string> {
  const { PUNCHCARD_TEST_STATEMENTS: folder, NODE_OPTIONS: options } = process.env;
  return folder === undefined || options === undefined
    ? {}
    : { PUNCHCARD_TEST_STATEMENTS: folder, NODE_OPTIONS: options };
}
