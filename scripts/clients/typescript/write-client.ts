import type { ClientModel } from '../model.ts';
import { eventTypesFile, typesFile } from './write-declarations.ts';
import { errorCodesFile, errorsFile } from './write-errors.ts';
import { className, commonCodes, fileName, resourceFile } from './write-resources.ts';

/** The printed files of the TypeScript client, by their path in `src`; not yet as the formatter wants them. */
export function typescriptClient(model: ClientModel): Map<string, string> {
  const common = commonCodes(model);
  return new Map([
    ['types.ts', typesFile(model.types)],
    ['event-types.ts', eventTypesFile(model.types)],
    ['error-codes.ts', errorCodesFile(model.errors)],
    ['errors.ts', errorsFile(model.errors)],
    ['punchcard.ts', clientFile(model)],
    ...model.resources.map((resource): [string, string] => [
      `resources/${fileName(resource.name)}.ts`,
      resourceFile(resource, common),
    ]),
  ]);
}

function clientFile({ resources }: ClientModel): string {
  const imports = resources
    .map(({ name }) => `import { ${className(name)} } from './resources/${fileName(name)}.ts';`)
    .sort((one, two) => (one.split("'")[1] ?? '').localeCompare(two.split("'")[1] ?? ''));
  return `import type { PunchcardOptions } from './core/options.ts';
import { Sender } from './core/sender.ts';
${imports.join('\n')}

/** The API of one installation, with the rights of one credential. */
export class Punchcard {
${resources.map(({ name }) => `  readonly ${name}: ${className(name)};`).join('\n')}

  constructor(options: PunchcardOptions) {
    const sender = new Sender(options);
${resources.map(({ name }) => `    this.${name} = new ${className(name)}(sender);`).join('\n')}
  }
}
`;
}
