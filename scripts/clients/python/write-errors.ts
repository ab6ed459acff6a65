import { snakeCase } from '../../../tools/docs-site/samples/python.ts';
import type { ClientModel, ErrorModel } from '../model.ts';
import { docstring, pascal } from './spelling.ts';
import type { PythonTypes } from './write-typed-dicts.ts';

/** `insufficient_points` → `InsufficientPointsError` */
export function classOf(code: string): string {
  return `${pascal(code)}Error`.replace(/ErrorError$/, 'Error');
}

/** `errors.py`: a class for each code, with the fields of its body. */
export function errorsFile({ errors }: ClientModel, types: PythonTypes): string {
  const classes = errors.map((error) => classLines(error, types).join('\n')).join('\n\n\n');
  const typing = ['Any', 'Dict', 'List', 'Literal', 'Optional', 'Union'].filter((name) =>
    new RegExp(`\\b${name}\\[`).test(classes),
  );
  return `"""
A class for each code that the API refuses with. Printed from it: \`npm run docs\`.

A service may be newer than this file: a code without a class here is raised as \`PunchcardError\`.
"""

from __future__ import annotations

from typing import ${[...new Set([...typing, 'Dict', 'Type'])].sort().join(', ')}

${classes.includes('types.') ? 'from . import types\n' : ''}from ._errors import PunchcardError, field

${classes}


ERRORS: Dict[str, Type[PunchcardError]] = {
${errors.map(({ code }) => `    "${code}": ${classOf(code)},`).join('\n')}
}

__all__ = [
${errors
  .map(({ code }) => `    "${classOf(code)}",`)
  .sort()
  .join('\n')}
]
`;
}

function classLines({ code, status, help, fields }: ErrorModel, types: PythonTypes): string[] {
  // Whether a repeat is safe says the base class of all of them.
  const own = fields.filter(({ name }) => name !== 'retryable');
  return [
    `class ${classOf(code)}(PunchcardError):`,
    ...docstring([`\`${code}\`, ${status}: ${help}`], 4),
    ...(own.length === 0 ? [] : ['']),
    ...own.map(
      ({ name, type }) => `    ${snakeCase(name)}: ${types.annotation(type, 'types.')} = field("${name}")`,
    ),
  ];
}
