import type { ApiError } from '../api-error.ts';
import { refusalAbout, refusalIn } from './schema-refusal.ts';
import {
  alternatives,
  kindOf,
  limitOf,
  oneOfValues,
  type RequestPart,
  type SchemaError,
  subject,
  typeWords,
} from './schema-words.ts';

/**
 * What to say about a value that fits no branch of a union: the errors of the branch that the sender most likely
 * meant (the same type, the same discriminating literals), or the refusal where none stands out.
 */
export function unionMessage(
  union: SchemaError,
  inner: readonly SchemaError[],
  part: RequestPart,
): readonly SchemaError[] | ApiError {
  if (inner.length === 0) return overlapMessage(union, part);
  const branches = branchesOf(union, inner);

  const values = branches.flatMap((branch) => literalsOf(branch.schema) ?? [undefined]);
  if (!values.includes(undefined)) return refuseOther(union, part, values);

  const ofSameType = branches.filter((branch) => !isWrongType(branch, union));
  if (ofSameType.length === 0) {
    const types = [...new Set(branches.flatMap((branch) => branch.schema.type ?? []))];
    const predicate = `must be ${alternatives(typeWords(types))}, not ${kindOf(union.data)}`;
    return refusalAbout(union, part, { rule: 'type', predicate, limit: limitOf(types) });
  }
  const meant = ofSameType.filter((branch) => !contradicts(branch, union.data));
  const only = meant.length === 1 ? meant[0] : ofSameType.length === 1 ? ofSameType[0] : undefined;
  if (only !== undefined) return only.errors;
  return meant.length > 1 ? closest(meant, union, part) : discriminatorMessage(ofSameType, union, part);
}

interface Branch {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly errors: readonly SchemaError[];
}

function branchesOf(union: SchemaError, inner: readonly SchemaError[]): Branch[] {
  const schemas = union.schema as Branch['schema'][];
  return schemas.map((schema, index) => ({
    schema,
    errors: inner.filter((error) => error.schemaPath.startsWith(`${union.schemaPath}/${index}/`)),
  }));
}

/** The values a schema of literals allows, or undefined when it allows others. */
function literalsOf(schema: Branch['schema']): unknown[] | undefined {
  if ('const' in schema) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum;
  return schema.type === 'null' ? [null] : undefined;
}

function isWrongType(branch: Branch, union: SchemaError): boolean {
  const error = branch.errors.at(-1);
  return error?.keyword === 'type' && error.instancePath === union.instancePath;
}

/** True when the value has another literal than the branch in one of the branch's literal properties. */
function contradicts(branch: Branch, data: unknown): boolean {
  return literalProperties(branch).some(([name, allowed]) => {
    const value = (data as Record<string, unknown>)[name];
    return value !== undefined && !allowed.includes(value);
  });
}

function literalProperties(branch: Branch): [string, unknown[]][] {
  return Object.entries((branch.schema.properties ?? {}) as Record<string, Branch['schema']>).flatMap(
    ([name, schema]) => {
      const allowed = literalsOf(schema);
      return allowed === undefined ? [] : [[name, allowed] as [string, unknown[]]];
    },
  );
}

/** The value's discriminating property fits no branch: say which values there are. */
function discriminatorMessage(
  branches: readonly Branch[],
  union: SchemaError,
  part: RequestPart,
): readonly SchemaError[] | ApiError {
  const [first] = branches;
  const shared = first === undefined ? [] : literalProperties(first).map(([name]) => name);
  const name = shared.find((candidate) => (union.data as Record<string, unknown>)[candidate] !== undefined);
  if (name === undefined) return closest(branches, union, part);
  return refuseOther(union, part, valuesOf(branches, name), name);
}

function refuseOther(
  union: SchemaError,
  part: RequestPart,
  values: readonly unknown[],
  name?: string,
): ApiError {
  const broken = {
    rule: 'enum',
    predicate: `must be ${oneOfValues(values)}`,
    limit: limitOf(values),
  } as const;
  return refusalAbout(union, part, broken, name);
}

/** The literals that the branches allow for a property. */
function valuesOf(branches: readonly Branch[], name: string): unknown[] {
  return branches.flatMap((branch) => new Map(literalProperties(branch)).get(name) ?? []);
}

/** Nothing distinguishes the branches: name what each of them misses, or the complaint that got furthest. */
function closest(
  branches: readonly Branch[],
  union: SchemaError,
  part: RequestPart,
): readonly SchemaError[] | ApiError {
  const missing = branches
    .map((branch) => branch.errors.at(-1))
    .filter((error) => error?.keyword === 'required');
  if (missing.length === branches.length) {
    const names = new Set(missing.map((error) => String(error?.params.missingProperty)));
    const [name = ''] = names;
    if (names.size === 1) {
      const values = valuesOf(branches, name);
      if (values.length === 0)
        return refusalAbout(union, part, { rule: 'required', predicate: 'is required' }, name);
      const predicate = `is required: ${oneOfValues(values)}`;
      return refusalAbout(union, part, { rule: 'required', predicate, limit: limitOf(values) }, name);
    }
    const owner = union.instancePath === '' ? '' : ` in ${subject(union, part)}`;
    return refusalIn(
      union,
      part,
      { rule: 'required', limit: [...names] },
      `One of ${alternatives([...names])} is required${owner}.`,
    );
  }
  const furthest = branches.reduce((best, branch) => (depth(branch) > depth(best) ? branch : best));
  return furthest.errors;
}

function depth(branch: Branch): number {
  const error = branch.errors.at(-1);
  return error === undefined ? -1 : error.instancePath.split('/').length;
}

/** `oneOf` was met by several branches at once. */
function overlapMessage(union: SchemaError, part: RequestPart): ApiError {
  const passing = (union.params.passingSchemas ?? []) as number[];
  const schemas = union.schema as Branch['schema'][];
  const names = passing.flatMap((index) => (schemas[index]?.required ?? []) as string[]);
  const distinct = names.filter((name) => names.indexOf(name) === names.lastIndexOf(name));
  if (distinct.length < 2) {
    const predicate = 'fits several allowed forms; send only one of them';
    return refusalAbout(union, part, { rule: 'other', predicate });
  }
  return refusalIn(
    union,
    part,
    { rule: 'excluded', limit: distinct },
    `Only one of ${alternatives(distinct)} may be given.`,
  );
}
