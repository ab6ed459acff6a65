import type { ErrorModel, Field } from '../model.ts';
import { refsOf } from '../read-schemas.ts';
import { comment, typeText } from './write-declarations.ts';

/** The file of the errors: a class for each code. */
export function errorsFile(errors: readonly ErrorModel[]): string {
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
${typesImport(errors)}
export type { ErrorCode, ErrorContext } from './error-codes.ts';

${classes.join('\n')}
/** The class of each code. */
export const errorClasses = {
${errors.map(({ code }) => `  ${code}: ${className(code)},\n`).join('')}};
`;
}

/** The codes and the fields of all errors, apart from their classes: the base class of these needs both. */
export function errorCodesFile(errors: readonly ErrorModel[]): string {
  const codes = [...errors.map(({ code }) => code), 'connection_failed', 'timed_out', 'unexpected_answer'];
  return `${typesImport(errors)}
/** Every code that this version knows. */
export type ErrorCode = ${codes.map((code) => `'${code}'`).join(' | ')};

/** The fields of errors, apart from their text; the code decides which of them are present. */
export interface ErrorContext {
${contextOf(ownFields(errors))}}
`;
}

function ownFields(errors: readonly ErrorModel[]): Field[] {
  return errors.flatMap((error) => error.fields.filter(isOwn));
}

function typesImport(errors: readonly ErrorModel[]): string {
  const names = [...new Set(ownFields(errors).flatMap(({ type }) => refsOf(type)))].sort();
  return names.length > 0 ? `import type { ${names.join(', ')} } from './types.ts';\n` : '';
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
