import type { NamedType, RefType, Type } from './model.ts';
import { refsOf } from './read-schemas.ts';

/** The types that have a name. */
export interface TypeNames {
  /** Throws where the name is taken. */
  add(name: string, type: Type, doc?: string | null): RefType;
  /** The type, under the name unless it has one already. */
  ensure(name: string, type: Type): Type;
  /** The type that a reference names. */
  resolved(type: Type): Type;
  /** All that the types refer to, however far, by name. */
  wanted(types: readonly Type[]): NamedType[];
}

export function createTypeNames(): TypeNames {
  const named = new Map<string, NamedType>();

  function add(name: string, type: Type, doc: string | null = null): RefType {
    if (named.has(name)) throw new Error(`two types are called ${name}`);
    named.set(name, { name, doc, type });
    return { kind: 'ref', name };
  }

  function find(name: string): NamedType {
    const found = named.get(name);
    if (found === undefined) throw new Error(`no type is called ${name}`);
    return found;
  }

  return {
    add,
    ensure: (name, type) => (type.kind === 'ref' ? type : add(name, type)),
    resolved: (type) => (type.kind === 'ref' ? find(type.name).type : type),
    wanted(types) {
      const wanted = new Map<string, NamedType>();
      const open = types.flatMap(refsOf);
      for (let name = open.pop(); name !== undefined; name = open.pop()) {
        if (wanted.has(name)) continue;
        wanted.set(name, find(name));
        open.push(...refsOf(find(name).type));
      }
      return [...wanted.values()].sort((one, two) => (one.name < two.name ? -1 : 1));
    },
  };
}
