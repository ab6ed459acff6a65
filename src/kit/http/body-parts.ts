import type { TSchema } from 'typebox';

/** The alternatives of a body, each with the media type that it is sent as: JSON unless it names another. */
export function bodyParts(body: TSchema): { type: string; schema: TSchema }[] {
  const schemas = 'anyOf' in body ? (body.anyOf as readonly TSchema[]) : [body];
  return schemas.map((schema) => ({
    type: 'contentMediaType' in schema ? String(schema.contentMediaType) : JSON_TYPE,
    schema,
  }));
}

/** What a JSON body is described by: all that is not sent as another type. */
export function jsonBodySchema(body: TSchema): TSchema | undefined {
  const parts = bodyParts(body);
  const json = parts.filter(({ type }) => type === JSON_TYPE);
  if (json.length === parts.length) return body;
  return json.length > 1 ? { anyOf: json.map(({ schema }) => schema) } : json[0]?.schema;
}

export const JSON_TYPE = 'application/json';
