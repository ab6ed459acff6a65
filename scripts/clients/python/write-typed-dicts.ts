import type { ClientModel, Field, NamedType, ObjectType, Type } from '../model.ts';
import { docstring, folded, isPlain, pascal, spread } from './spelling.ts';

/** How the types of the model are written in Python. */
export interface PythonTypes {
  /** A type as an annotation; `prefix` stands before the names of `types.py`. */
  annotation(type: Type, prefix?: string): string;
  /** An argument of a method, which may be any mapping where the API takes an object of free names. */
  argument(type: Type, prefix: string): string;
  /** `types.py`: all that those types refer to, however far. */
  file(wanted: readonly Type[]): string;
}

/** Objects without a name in the API get one here, of where they stand: the shortest of those that are alike. */
export function pythonTypes(model: ClientModel): PythonTypes {
  const named = new Map(model.types.map((one) => [one.name, one]));
  const inline = nameInline(model);

  function annotation(type: Type, prefix = '', isArgument = false): string {
    const inner = (one: Type) => annotation(one, prefix);
    switch (type.kind) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'unknown':
        return 'Any';
      case 'literal':
        return `Literal[${type.values.map(literal).join(', ')}]`;
      case 'ref':
        return prefix + type.name;
      case 'array':
        return `List[${inner(type.items)}]`;
      case 'map':
        return `${isArgument ? 'Mapping' : 'Dict'}[str, ${inner(type.values)}]`;
      case 'object':
        return prefix + (inline.get(JSON.stringify(type)) ?? 'Any');
      case 'union':
        return `Union[${[...new Set(type.of.map(inner))].join(', ')}]`;
      case 'nullable':
        return `Optional[${annotation(type.of, prefix, isArgument)}]`;
    }
  }

  function definition({ name, doc, type }: NamedType): string[] {
    if (type.kind !== 'object') {
      // As texts, so that the order of the definitions does not matter.
      const quoted = annotation(type).replace(/\b(?!Union|Optional|List|Dict|Literal|Any)[A-Z]\w+/g, '"$&"');
      return [
        `${name} = ${type.kind === 'literal' ? annotation(type) : quoted}`,
        ...docstring([doc ?? ''], 0),
      ];
    }
    return type.pushes
      ? pushed(name, doc, type)
      : typedDict(name, [], type.fields, [doc ?? '', ruleOf(type)]);
  }

  /** Prints an answer that shows the outcome of a push as a union of four, distinguished by `pushed` and `pushSkipReason`. */
  function pushed(name: string, doc: string | null, { fields }: ObjectType): string[] {
    const own = fields.filter(({ name }) => !['pushed', 'pushSkipReason', 'warnings'].includes(name));
    const kinds = ['Pushed', 'Unchanged', 'NotInstalled', 'Unpaid'];
    return [
      ...typedDict(`${name}Body`, [], own, [doc ?? '']),
      ...kinds.flatMap((kind) => ['', '', `class ${name}${kind}(${name}Body, ${kind}):`, '    pass']),
      '',
      '',
      `${name} = Union["${kinds.map((kind) => name + kind).join('", "')}"]`,
    ];
  }

  /** A class for what is always there, and one on top of it for what may be missing. */
  function typedDict(
    name: string,
    bases: readonly string[],
    fields: readonly Field[],
    doc: readonly string[],
  ): string[] {
    const [always, sometimes] = [
      fields.filter(({ isRequired }) => isRequired),
      fields.filter(({ isRequired }) => !isRequired),
    ];
    if (sometimes.length === 0) return oneDict(name, bases, always, true, doc);
    if (always.length === 0) return oneDict(name, bases, sometimes, false, doc);
    const base = `${name}Required`;
    return [
      ...oneDict(base, bases, always, true, [`What is always there of ${name}.`]),
      '',
      '',
      ...oneDict(name, [base], sometimes, false, doc),
    ];
  }

  function oneDict(
    name: string,
    bases: readonly string[],
    fields: readonly Field[],
    isTotal: boolean,
    doc: readonly string[],
  ): string[] {
    const total = isTotal ? [] : ['total=False'];
    const [plain, odd] = [
      fields.filter((field) => isPlain(field.name)),
      fields.filter((field) => !isPlain(field.name)),
    ];
    // A key that is a word of Python can be said as a text only.
    const before =
      odd.length === 0
        ? []
        : [
            ...spread(
              `${name}Words = TypedDict(`,
              [
                `"${name}Words"`,
                `{${odd.map(({ name, type }) => `"${name}": "${annotation(type)}"`).join(', ')}}`,
                ...total,
              ],
              ')',
              0,
            ),
            '',
            '',
          ];
    const parents = [...bases, ...(odd.length > 0 ? [`${name}Words`] : [])];
    const heads = [...(parents.length === 0 ? ['TypedDict'] : parents), ...total];
    const said = docstring(doc, 4);
    const body = [
      ...said,
      ...(said.length > 0 && plain.length > 0 ? [''] : []),
      ...plain.flatMap((field) => [
        ...folded(`${field.name}: ${annotation(field.type)}`, 4),
        ...docstring([field.doc ?? ''], 4),
      ]),
    ];
    return [...before, `class ${name}(${heads.join(', ')}):`, ...(body.length === 0 ? ['    pass'] : body)];
  }

  return {
    annotation,
    argument: (type, prefix) => annotation(type, prefix, true),
    file(wanted) {
      const found = new Map<string, string[]>();
      const open = [...wanted];
      for (let type = open.pop(); type !== undefined; type = open.pop()) {
        for (const [name, one, doc] of mentioned(type)) {
          if (found.has(name)) continue;
          found.set(name, definition({ name, type: one, doc }));
          open.push(...partsOf(one));
        }
      }
      const definitions = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
      return `${head}${definitions.map(([, lines]) => lines.join('\n')).join('\n\n\n')}\n`;
    },
  };

  /** The named types that a type contains directly. */
  function mentioned(type: Type): (readonly [string, Type, string | null])[] {
    if (type.kind === 'ref') {
      const one = named.get(type.name);
      if (one === undefined) throw new Error(`no type is called ${type.name}`);
      return [[one.name, one.type, one.doc]];
    }
    if (type.kind === 'object') return [[inline.get(JSON.stringify(type)) ?? '', type, null]];
    return partsOf(type).flatMap(mentioned);
  }
}

const head = `"""
The objects of the API, as it spells them.

A service may be newer than this file: it may send properties, and words in the place of a literal, that are not here.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class PushWarning(TypedDict):
    code: str
    message: str


class Pushed(TypedDict):
    """The wallets are being notified, for a credit."""

    pushed: Literal[True]


class Unchanged(TypedDict):
    """The card shows what it has shown before."""

    pushed: Literal[False]
    pushSkipReason: Literal["unchanged"]


class NotInstalled(TypedDict):
    """The card is in no wallet."""

    pushed: Literal[False]
    pushSkipReason: Literal["not_installed"]


class Unpaid(TypedDict):
    """The change counts, but no wallet is notified: there were no credits. A top-up delivers it."""

    pushed: Literal[False]
    pushSkipReason: Literal["insufficient_credits"]
    warnings: List[PushWarning]


`;

/** The types that a type is made of. */
export function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'array':
      return [type.items];
    case 'map':
      return [type.values];
    case 'nullable':
      return [type.of];
    case 'union':
      return type.of;
    case 'object':
      return type.fields
        .filter(({ name }) => !(type.pushes && name === 'warnings'))
        .map((field) => field.type);
    default:
      return [];
  }
}

function ruleOf({ exactlyOne }: ObjectType): string {
  return exactlyOne.length === 0
    ? ''
    : `One of ${exactlyOne.map((name) => `\`${name}\``).join(', ')} is there.`;
}

function literal(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** The names of the objects that have none, by what they are. */
function nameInline({ types, errors }: ClientModel): ReadonlyMap<string, string> {
  const candidates = new Map<string, string[]>();
  const visit = (type: Type, name: string, isItself: boolean): void => {
    if (type.kind === 'object') {
      const key = JSON.stringify(type);
      if (!isItself) candidates.set(key, [...(candidates.get(key) ?? []), name]);
      for (const field of type.fields) visit(field.type, name + pascal(field.name), false);
    } else if (type.kind === 'array') visit(type.items, singular(name), false);
    else if (type.kind === 'union') {
      for (const [index, one] of type.of.entries()) visit(one, name + (memberName(one) ?? index + 1), false);
    } else for (const part of partsOf(type)) visit(part, name, false);
  };
  for (const { name, type } of types) visit(type, name, true);
  for (const { code, fields } of errors)
    for (const { name, type } of fields) visit(type, pascal(code) + pascal(name), false);
  const taken = new Set(types.map(({ name }) => name));
  const names = new Map<string, string>();
  for (const [key, all] of candidates) {
    const sorted = all.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1));
    const free = [...sorted, ...sorted.map((name) => `${name}Item`)].find((name) => !taken.has(name));
    if (free === undefined) throw new Error(`no name is left for ${all.join(', ')}`);
    taken.add(free);
    names.set(key, free);
  }
  return names;
}

function singular(name: string): string {
  return name.endsWith('ies')
    ? `${name.slice(0, -3)}y`
    : name.endsWith('s')
      ? name.slice(0, -1)
      : `${name}Item`;
}

/** Names a member of a union after the first literal value that distinguishes it. */
function memberName(type: Type): string | null {
  if (type.kind !== 'object') return null;
  for (const field of type.fields) {
    if (field.type.kind !== 'literal' || field.type.values.length !== 1) continue;
    const [value] = field.type.values;
    if (typeof value === 'string') return pascal(value);
    if (typeof value === 'boolean') return `${value ? '' : 'Not'}${pascal(field.name)}`;
  }
  return null;
}
