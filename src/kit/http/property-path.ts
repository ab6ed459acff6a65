/** The way a message names a value inside a body: `fields[0].key`, `metadata["a b"]`; empty for the whole body. */
export function propertyPath(steps: readonly (string | number)[]): string {
  let path = '';
  for (const step of steps) path += stepText(step, path === '');
  return path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH)}…`;
}

/** A name or value that the client sent, short enough to be repeated in a message. */
export function clipped(text: string): string {
  return text.length <= MAX_STEP ? text : `${text.slice(0, MAX_STEP).toWellFormed()}…`;
}

const MAX_PATH = 200;
const MAX_STEP = 60;
const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

function stepText(step: string | number, first: boolean): string {
  if (typeof step === 'number') return `[${step}]`;
  const name = clipped(step);
  if (!PLAIN_NAME.test(name)) return `[${JSON.stringify(name)}]`;
  return first ? name : `.${name}`;
}
