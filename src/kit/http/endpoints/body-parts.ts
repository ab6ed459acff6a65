import { IsOptional, type TSchema } from 'typebox';

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

/** Whether a request has to have a body: not where it may be left out, nor where `{}` would do. */
export function isBodyRequired(body: TSchema): boolean {
  return !IsOptional(body) && !takesEmptyObject(jsonBodySchema(body));
}

function takesEmptyObject(schema: TSchema | undefined): boolean {
  const { type, required = [], minProperties = 0 } = (schema ?? {}) as ObjectWords;
  return type === 'object' && required.length === 0 && minProperties === 0;
}

interface ObjectWords {
  readonly type?: unknown;
  readonly required?: readonly string[];
  readonly minProperties?: number;
}

export const JSON_TYPE = 'application/json';
