import {
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type TypeNode,
} from 'graphql';

/** A request that cannot be read, or asks for something that does not exist, as GraphQL reports it. */
export class QueryRefused extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly path: readonly string[];

  constructor(
    message: string,
    code: string,
    path: readonly string[] = [],
    details: Record<string, unknown> = {},
  ) {
    super(message);
    this.code = code;
    this.path = path;
    this.details = details;
  }
}

/** A parsed request: its operations, and its fragments by name. */
export interface QueryDocument {
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** Parses a request. Raises QueryRefused. */
export function readQuery(text: string): QueryDocument {
  const { definitions } = parsed(text);
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  return {
    operations: definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION),
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
  };
}

function parsed(text: string) {
  try {
    return parse(text, { noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) throw new QueryRefused(error.message, 'PARSE_ERROR');
    throw error;
  }
}

/** `[ID!]!` is its text; `name` the type of the items. */
export interface TypeReference {
  readonly text: string;
  readonly name: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
}

/** The type of a variable, a field or an argument. */
export function typeOf(node: TypeNode): TypeReference {
  const type = node.kind === Kind.NON_NULL_TYPE ? node.type : node;
  let item: TypeNode = type;
  while (item.kind !== Kind.NAMED_TYPE) item = item.type;
  return {
    text: print(node),
    name: item.name.value,
    isList: type.kind === Kind.LIST_TYPE,
    isRequired: node.kind === Kind.NON_NULL_TYPE,
  };
}
