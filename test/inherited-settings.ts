/**
 * What a process that a test starts is given of this one's settings: where it writes its statements down, where they are
 * captured (`growth/capture.ts`), and where compiled code is kept.
 */
export function inheritedSettings(): Record<string, string> {
  const {
    PUNCHCARD_TEST_STATEMENTS: folder,
    NODE_OPTIONS: options,
    NODE_COMPILE_CACHE: compiled,
  } = process.env;
  return {
    ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }),
    ...(folder !== undefined &&
      options !== undefined && { PUNCHCARD_TEST_STATEMENTS: folder, NODE_OPTIONS: options }),
  };
}
