import type { TSchema } from 'typebox';

/** Property names that reach an object's prototype: no JSON body may hold them. */
export const refusedNames: readonly string[] = ['__proto__', 'prototype', 'constructor'];

/** Where a schema keeps what the document has in its place. The validator sees string keys only. */
const inDocument = Symbol('inDocument');

/**
 * The schema, and another that describes it in the document: for conditions that are refused in better words than a
 * validator has.
 */
export function documentedAs<S extends TSchema>(schema: S, other: object): S {
  return { ...schema, [inDocument]: other };
}

/** The schema with keywords that only the document has. */
export function documentedWith<S extends TSchema>(schema: S, keywords: object): S {
  return documentedAs(schema, { ...documentOf(schema), ...keywords });
}

/** Returns what the document shows in the place of a schema; by default the schema itself. */
export function documentOf(schema: object): object {
  return (schema as { readonly [inDocument]?: object })[inDocument] ?? schema;
}

/** The schema under a name in the document, and so in client libraries. */
export function named<S extends TSchema>($id: string, schema: S): S {
  return documentedWith(schema, { $id });
}

/** A text that is kept, and compared, in Unicode's NFC form. */
export function inNfc<S extends TSchema>(schema: S): S {
  const { description } = documentOf(schema) as { readonly description?: string };
  const form = "kept and compared in Unicode's NFC form";
  return documentedWith(schema, {
    description: description === undefined ? form : `${description}; ${form}`,
  });
}

/** An object whose properties the caller names. */
export function freelyNamed<S extends TSchema>(schema: S): S {
  return documentedWith(schema, { propertyNames: { not: { enum: [...refusedNames] } } });
}

/** Keywords of an object that has exactly one of the properties. */
export function exactlyOneOf(...names: readonly string[]) {
  return { oneOf: names.map((name) => ({ properties: { [name]: {} }, required: [name] })) };
}

/** Keywords of an object that has one of the properties, or none. */
export function atMostOneOf(...names: readonly string[]) {
  const both = names.flatMap((one, index) =>
    names.slice(index + 1).map((other) => ({
      properties: { [one]: {}, [other]: {} },
      required: [one, other],
    })),
  );
  return { not: both.length === 1 ? both[0] : { anyOf: both } };
}

/** Keywords of an object in which at least one of the properties is there, and not null. */
export function anyGiven(...names: readonly string[]) {
  return {
    anyOf: names.map((name) => ({ properties: { [name]: { not: { type: 'null' } } }, required: [name] })),
  };
}

/** A schema of several named objects, distinguished by a property that has a value of its own in each. */
export function variants(propertyName: string, objects: Readonly<Record<string, TSchema>>) {
  const mapping = Object.entries(objects).map(([value, object]) => {
    const { $id } = object as { readonly $id?: string };
    if ($id === undefined) throw new Error(`the variant "${value}" of ${propertyName} has no $id`);
    return [value, `#/components/schemas/${$id}`];
  });
  return {
    oneOf: Object.values(objects),
    discriminator: { propertyName, mapping: Object.fromEntries(mapping) },
  };
}
