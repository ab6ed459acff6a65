import type { Field, NamedType, ObjectType, Type } from '../model.ts';

/** A comment before a declaration; nothing without a text. */
export function comment(text: string | null): string {
  if (text === null || text === '') return '';
  const lines = wrapped(text.replaceAll('*/', '*\u200b/'));
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Lines that fit a comment; an empty one between paragraphs stays. */
function wrapped(text: string): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1) ?? '';
      if (line !== '' && line.length + word.length > 100) lines.push(word);
      else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    }
    return lines;
  });
}

/** A type as an expression. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
      return type.kind;
    case 'literal':
      return type.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'ref':
      return type.name;
    case 'array':
      return `${inParentheses(type.items)}[]`;
    case 'map':
      return `Record<string, ${typeText(type.values)}>`;
    case 'union':
      return type.of.map(typeText).join(' | ');
    case 'nullable':
      return `${typeText(type.of)} | null`;
    case 'object':
      return objectText(type);
  }
}

function inParentheses(type: Type): string {
  const isCompound =
    ['literal', 'union', 'nullable'].includes(type.kind) || (type.kind === 'object' && isJoined(type));
  return isCompound ? `(${typeText(type)})` : typeText(type);
}

/** Whether an object is more than its fields. */
function isJoined({ pushes, exactlyOne }: ObjectType): boolean {
  return pushes || exactlyOne.length > 0;
}

const pushFields = ['pushed', 'pushSkipReason', 'warnings'];

function objectText(type: ObjectType): string {
  const { fields, pushes, exactlyOne } = type;
  const choices = fields.filter(({ name }) => exactlyOne.includes(name));
  const others = fields.filter(
    ({ name }) => !exactlyOne.includes(name) && !(pushes && pushFields.includes(name)),
  );
  return [
    fieldsText(others),
    ...(choices.length > 0
      ? [`ExactlyOne<${fieldsText(choices.map((field) => ({ ...field, isRequired: true })))}>`]
      : []),
    ...(pushes ? ['PushOutcome'] : []),
  ].join(' & ');
}

function fieldsText(fields: readonly Field[]): string {
  const lines = fields.map(
    ({ name, type, isRequired, doc }) => `${comment(doc)}${name}${isRequired ? '' : '?'}: ${typeText(type)};`,
  );
  const isShort = fields.every(({ doc }) => doc === null) && fields.length < 3;
  return isShort ? `{ ${lines.join(' ')} }` : `{\n${lines.join('\n')}\n}`;
}

/** Prints a named type. A named enum is open: further values are added at any time. */
export function declaration({ name, doc, type }: NamedType): string {
  if (type.kind === 'object' && !isJoined(type))
    return `${comment(doc)}export interface ${name} ${fieldsText(type.fields)}\n`;
  const open = type.kind === 'literal' ? ' | (string & {})' : '';
  return `${comment(doc)}export type ${name} = ${typeText(type)}${open};\n`;
}

/** The file of all types. */
export function typesFile(types: readonly NamedType[]): string {
  return `import type { ExactlyOne, PushOutcome } from './core/type-words.ts';\n\n${types.map(declaration).join('\n')}`;
}

/** The kinds of events as a value: what is chosen from has to be known when a program runs. */
export function eventTypesFile(types: readonly NamedType[]): string {
  const type = types.find(({ name }) => name === 'EventType')?.type;
  if (type?.kind !== 'literal') throw new Error('the kinds of events are not described');
  return `import type { EventType } from './types.ts';

/** Every kind of event that this version knows. Kinds are added at any time: an event may be of another one. */
export const eventTypes = ${JSON.stringify(type.values)} as const satisfies readonly EventType[];
`;
}
