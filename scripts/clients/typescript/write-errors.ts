import type { ErrorModel, Field } from '../model.ts';
import { refsOf } from '../read-schemas.ts';
import { comment, typeText } from './write-declarations.ts';

/** The file of the errors: a class for each code. */
export function errorsFile(errors: readonly ErrorModel[]): string {
  const fields = errors.flatMap((error) => error.fields.filter(isOwn));
  const names = [...new Set(fields.flatMap(({ type }) => refsOf(type)))].sort();
  const classes = errors.map(
    (error) => `${comment(error.help)}export class ${className(error.code)} extends PunchcardError {
  declare readonly code: '${error.code}';
${error.fields
  .filter(isOwn)
  .map(({ name, type }) => `  declare readonly ${name}: ${typeText(type)};\n`)
  .join('')}}
`,
  );
  return `import { PunchcardError } from './core/punchcard-error.ts';
${names.length > 0 ? `import type { ${names.join(', ')} } from './types.ts';\n` : ''}
${classes.join('\n')}
/** The class of each code. */
export const errorClasses = {
${errors.map(({ code }) => `  ${code}: ${className(code)},\n`).join('')}};

/** Every code that this version knows. */
export type ErrorCode = keyof typeof errorClasses | 'connection_failed' | 'timed_out' | 'unexpected_answer';

/** The fields of errors, apart from their text; the code decides which of them are present. */
export interface ErrorContext {
${contextOf(fields)}}
`;
}

/** `retryable` is on every error. */
function isOwn({ name }: Field): boolean {
  return name !== 'retryable';
}

function contextOf(fields: readonly Field[]): string {
  const byName = Map.groupBy(fields, ({ name }) => name);
  return [...byName]
    .map(([name, list]) => {
      const types = [...new Set(list.map(({ type }) => typeText(type)))];
      const distinct = types.filter((text) => !types.includes(`${text} | null`));
      return `  readonly ${name}?: ${distinct.join(' | ')};\n`;
    })
    .join('');
}

/** `insufficient_points` → `InsufficientPointsError` */
export function className(code: string): string {
  const words = code.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.at(-1) === 'Error' ? words.join('') : `${words.join('')}Error`;
}
