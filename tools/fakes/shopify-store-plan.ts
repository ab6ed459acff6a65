import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { type QueryDocument, QueryRefused, type TypeReference, typeOf } from './shopify-store-request.ts';
import {
  type FieldShape,
  fieldOf,
  isConnection,
  isEdge,
  isObjectType,
  sortKeys,
} from './shopify-store-schema.ts';

/** A field that will be read: checked against the schema, with the values of its arguments. */
export interface PlannedField {
  readonly key: string;
  readonly name: string;
  /** The type that has this field. */
  readonly parent: string;
  readonly type: string;
  readonly isList: boolean;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Null for scalars. */
  readonly fields: readonly PlannedField[] | null;
}

/** The most objects of a page. */
export const largestPage = 250;

/** Checks a request against the schema, as GraphQL does before it reads anything. Raises QueryRefused. */
export function planQuery(
  document: QueryDocument,
  operationName: string | null,
  variables: Readonly<Record<string, unknown>>,
): PlannedField[] {
  const operation = chosenOperation(document, operationName);
  if (operation.operation !== 'query')
    throw new QueryRefused(`The simulated store has no ${operation.operation}s`, 'NOT_SIMULATED');
  const values = readVariables(operation, variables);
  const used = new Set<string>();
  const path = [operation.name === undefined ? 'query' : `query ${operation.name.value}`];
  const { selections } = operation.selectionSet;
  const fields = planSelections({ document, operation, values, used }, 'QueryRoot', selections, path);
  for (const name of values.keys()) {
    if (!used.has(name)) {
      const text = `Variable $${name} is declared by ${nameOf(operation)} but not used`;
      throw new QueryRefused(text, 'variableNotUsed', path, { variableName: name });
    }
  }
  return fields;
}

/** The points that it may cost at most: an object 1, a connection 2 and each of its objects. */
export function requestedCost(fields: readonly PlannedField[]): number {
  return fields.reduce((sum, field) => sum + costOf(field), 0);
}

/** What an object of this field costs itself. Money in a bag, edges and page infos are free. */
export function ownCost({ type, parent, fields }: PlannedField): number {
  const isFree = fields === null || type === 'PageInfo' || isEdge(type) || parent === 'MoneyBag';
  return isFree || isConnection(type) ? 0 : 1;
}

export const connectionCost = 2;

function costOf(field: PlannedField): number {
  const { type, isList, fields, arguments: args } = field;
  if (fields === null) return 0;
  const size = typeof args.first === 'number' ? args.first : 1;
  if (isConnection(type)) {
    const items = fields.filter(({ name }) => name !== 'pageInfo').map(costOf);
    return connectionCost + size * Math.max(0, ...items);
  }
  const one = ownCost(field) + requestedCost(fields);
  return isList && !isConnection(field.parent) ? size * one : one;
}

interface Context {
  readonly document: QueryDocument;
  readonly operation: OperationDefinitionNode;
  readonly values: ReadonlyMap<string, unknown>;
  readonly used: Set<string>;
}

function chosenOperation({ operations }: QueryDocument, name: string | null): OperationDefinitionNode {
  const [first, second] = operations;
  if (first === undefined) throw new QueryRefused('No operation was given', 'PARSE_ERROR');
  if (name === null) {
    if (second === undefined) return first;
    throw new QueryRefused('An operation name is required', 'PARSE_ERROR');
  }
  const found = operations.find((operation) => operation.name?.value === name);
  if (found === undefined) throw new QueryRefused(`No operation named "${name}"`, 'PARSE_ERROR');
  return found;
}

function nameOf({ name }: OperationDefinitionNode): string {
  return name?.value ?? 'anonymous query';
}

function readVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): Map<string, unknown> {
  return new Map(
    variableDefinitions.map((definition) => {
      const name = definition.variable.name.value;
      const type = typeOf(definition.type);
      const fallback = definition.defaultValue;
      const value = given[name] ?? (fallback === undefined ? null : valueFromASTUntyped(fallback));
      const problem = problemOf(value, type);
      if (problem !== null) {
        const text = `Variable $${name} of type ${type.text} was provided invalid value`;
        const problems = [{ path: [], explanation: problem }];
        throw new QueryRefused(text, 'INVALID_VARIABLE', [], { value, problems });
      }
      return [name, value];
    }),
  );
}

/** The problem of a value of a type, or null. */
function problemOf(value: unknown, type: TypeReference): string | null {
  if (value === null || value === undefined) return type.isRequired ? 'Expected value to not be null' : null;
  if (type.isList)
    return Array.isArray(value) ? null : `Could not coerce value ${JSON.stringify(value)} to a list`;
  const wrong = `Could not coerce value ${JSON.stringify(value)} to ${type.name}`;
  const words = sortKeys[type.name];
  if (words !== undefined)
    return words.includes(String(value)) ? null : `Expected "${value}" to be one of: ${words.join(', ')}`;
  switch (type.name) {
    case 'Int':
      return Number.isInteger(value) ? null : wrong;
    case 'Boolean':
      return typeof value === 'boolean' ? null : wrong;
    case 'ID':
      return typeof value === 'string' || Number.isInteger(value) ? null : wrong;
    default:
      return typeof value === 'string' ? null : wrong;
  }
}

function planSelections(
  context: Context,
  parent: string,
  selections: readonly SelectionNode[],
  path: readonly string[],
): PlannedField[] {
  return selections.flatMap((selection): PlannedField[] => {
    if (selection.directives?.length)
      throw new QueryRefused('The simulated store has no directives', 'NOT_SIMULATED', path);
    if (selection.kind === Kind.FIELD) return [planField(context, parent, selection, path)];
    const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : '';
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : context.document.fragments.get(name);
    if (fragment === undefined) {
      const text = `Fragment ${name} was used, but not defined`;
      throw new QueryRefused(text, 'useAndDefineFragment', path, { fragmentName: name });
    }
    const type = fragment.typeCondition?.name.value ?? parent;
    if (type !== parent) {
      const text = `Fragment ${name} on ${type} can't be spread inside ${parent}`;
      throw new QueryRefused(text, 'cannotSpreadFragment', path, { typeName: parent, fragmentName: name });
    }
    return planSelections(context, parent, fragment.selectionSet.selections, path);
  });
}

function planField(
  context: Context,
  parent: string,
  selection: FieldNode,
  before: readonly string[],
): PlannedField {
  const name = selection.name.value;
  const alias = selection.alias?.value ?? name;
  const selections = selection.selectionSet?.selections ?? null;
  const path = [...before, alias];
  const shape = fieldOf(parent, name);
  if (shape === undefined) {
    const text = `Field '${name}' doesn't exist on type '${parent}'`;
    throw new QueryRefused(text, 'undefinedField', path, { typeName: parent, fieldName: name });
  }
  const type = shape.type.name;
  const args = planArguments(context, selection, shape, path);
  if (selections === null && isObjectType(type)) {
    const text = `Field must have selections (field '${name}' returns ${type} but has no selections. Did you mean '${name} { ... }'?)`;
    throw new QueryRefused(text, 'selectionMismatch', path, { nodeName: `field '${name}'`, typeName: type });
  }
  if (selections !== null && !isObjectType(type)) {
    const text = `Selections can't be made on scalars (field '${name}' returns ${type} but has selections)`;
    throw new QueryRefused(text, 'selectionMismatch', path, { nodeName: `field '${name}'`, typeName: type });
  }
  const fields = selections === null ? null : planSelections(context, type, selections, path);
  return { key: alias, name, parent, type, isList: shape.type.isList, arguments: args, fields };
}

function planArguments(
  context: Context,
  selection: FieldNode,
  shape: FieldShape,
  path: readonly string[],
): Record<string, unknown> {
  const fieldName = selection.name.value;
  const given = new Map(selection.arguments?.map(({ name, value }) => [name.value, value]));
  for (const name of given.keys()) {
    if (shape.arguments.has(name)) continue;
    const text = `Field '${fieldName}' doesn't accept argument '${name}'`;
    throw new QueryRefused(text, 'argumentNotAccepted', [...path, name], {
      name: fieldName,
      typeName: 'Field',
      argumentName: name,
    });
  }
  const args: Record<string, unknown> = {};
  for (const [name, type] of shape.arguments) {
    const literal = given.get(name);
    const value =
      literal === undefined ? null : readLiteral(context, literal, { name, type, fieldName, path });
    if (type.isRequired && value === null) {
      const text = `Field '${fieldName}' is missing required arguments: ${name}`;
      throw new QueryRefused(text, 'missingRequiredArguments', path, {
        className: 'Field',
        name: fieldName,
        arguments: name,
      });
    }
    if (value !== null) args[name] = value;
  }
  if (isConnection(shape.type.name)) checkPage(args, path);
  return args;
}

interface Place {
  readonly name: string;
  readonly type: TypeReference;
  readonly fieldName: string;
  readonly path: readonly string[];
}

function readLiteral(context: Context, literal: ValueNode, place: Place): unknown {
  const { name, type, fieldName, path } = place;
  if (literal.kind === Kind.VARIABLE) return variableOf(context, literal.name.value, place);
  const expectsWord = sortKeys[type.name] !== undefined;
  const value = valueFromASTUntyped(literal);
  if (expectsWord !== (literal.kind === Kind.ENUM) || problemOf(value, type) !== null) {
    const text = `Argument '${name}' on Field '${fieldName}' has an invalid value (${JSON.stringify(value)}). Expected type '${type.text}'.`;
    throw new QueryRefused(text, 'argumentLiteralsIncompatible', [...path, name], {
      typeName: 'Field',
      argumentName: name,
    });
  }
  return value;
}

function variableOf({ operation, values, used }: Context, name: string, place: Place): unknown {
  const { type, path } = place;
  const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  if (definition === undefined) {
    const text = `Variable $${name} is used by ${nameOf(operation)} but not declared`;
    throw new QueryRefused(text, 'variableNotDefined', path, { variableName: name });
  }
  used.add(name);
  const declared = typeOf(definition.type);
  const isLoose = type.isRequired && !declared.isRequired && definition.defaultValue === undefined;
  if (declared.name !== type.name || declared.isList !== type.isList || isLoose) {
    const text = `Type mismatch on variable $${name} and argument ${place.name} (${declared.text} / ${type.text})`;
    throw new QueryRefused(text, 'variableMismatch', path, {
      variableName: name,
      typeName: declared.text,
      argumentName: place.name,
      errorMessage: 'Type mismatch',
    });
  }
  return values.get(name) ?? null;
}

function checkPage(args: Readonly<Record<string, unknown>>, path: readonly string[]): void {
  const { first, last } = args;
  if (typeof last === 'number')
    throw new QueryRefused(
      'using last is not simulated: ask for the first, with reverse',
      'NOT_SIMULATED',
      path,
    );
  if (typeof first !== 'number')
    throw new QueryRefused('you must provide one of first or last', 'BAD_REQUEST', path);
  if (first < 0) throw new QueryRefused('first cannot be negative', 'BAD_REQUEST', path);
  if (first > largestPage)
    throw new QueryRefused(`first cannot exceed ${largestPage}, but it is ${first}`, 'BAD_REQUEST', path);
}
