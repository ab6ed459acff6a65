import type { ClientModel } from '../model.ts';
import { className } from './write-errors.ts';
import { parametersOf, resultOf } from './write-resources.ts';

/** REFERENCE.md: every method with its arguments and its result, and every error. */
export function typescriptReference({ resources, errors }: ClientModel): string {
  const parts = resources.map(({ name, methods }) => {
    const lines = methods.map((method) => {
      const parameters = parametersOf(method).filter((parameter) => !parameter.startsWith('options'));
      const { kind, type } = resultOf(method);
      const result = kind === 'list' ? `List<${type}>` : type.replace(' & Result', '');
      const gives = result === 'Result' ? '' : `: ${result}`;
      return `- \`${name}.${method.name}(${parameters.join(', ')})${gives}\`  \n  ${method.summary}. \`${method.httpMethod} ${method.path}\``;
    });
    return `## ${name}\n\n${lines.join('\n')}`;
  });
  const classes = errors.map(({ code, status, fields }) => {
    const names = fields.map((field) => `\`${field.name}\``).join(', ');
    return `- \`${className(code)}\`: \`${code}\`, ${status}${names && `, with ${names}`}`;
  });
  return `# Reference

Printed from the routes of the API by \`npm run docs\`. The comments of the types say what each operation does, takes and answers,
and so does \`/docs\` of your installation.

The last argument of each method is \`{ signal, timeoutMs, maxRetries, idempotencyKey }\`, all optional. Results are promises, but for
lists: \`for await\` reads all pages, \`page()\` one.

${parts.join('\n\n')}

## Errors

${classes.join('\n')}
`;
}
