import { snakeCase } from '../../../tools/docs-site/samples/python.ts';
import type { ClientModel } from '../model.ts';
import { classOfResource } from './write-resources.ts';

/** `resources/__init__.py`: what both clients have as attributes. */
export function resourcesFile({ resources }: ClientModel): string {
  const imports = resources.map(
    ({ name }) =>
      `from .${snakeCase(name)} import ${classOfResource(name, true)}, ${classOfResource(name, false)}`,
  );
  const classes = [false, true].map((isAsync) =>
    [
      `class ${isAsync ? 'Async' : ''}Resources:`,
      `    """What ${isAsync ? '`AsyncPunchcard`' : '`Punchcard`'} can be asked."""`,
      '',
      `    def __init__(self, caller: ${isAsync ? 'AsyncCaller' : 'Caller'}) -> None:`,
      ...resources.map(
        ({ name }) => `        self.${snakeCase(name)} = ${classOfResource(name, isAsync)}(caller)`,
      ),
    ].join('\n'),
  );
  return `"""The resources of the API. Printed from it: \`npm run docs\`."""

from __future__ import annotations

from .._callers import AsyncCaller, Caller
${imports.toSorted().join('\n')}

${classes.join('\n\n\n')}
`;
}
