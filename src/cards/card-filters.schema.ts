import { Type } from 'typebox';
import { ExternalRef, Id, line, listQuery, madeBetween, oneOf } from '../kit/http/schemas/shapes.ts';
import { Email, Identifier, InstanceStatus, Phone } from './instance.schema.ts';

/** What a search looks for: the beginning of a text, or of words of a name. */
const SearchText = line(
  100,
  'what words of a name, an address, a number or a code begin with, in whatever case, words in any order; or the last digits of a telephone number, at least four',
);

/** The filters of a pass's cards. */
export const CardFilters = listQuery({
  ...madeBetween,
  q: Type.Optional(SearchText),
  status: Type.Optional(InstanceStatus),
  identifier: Type.Optional(Identifier),
  email: Type.Optional(Email),
  phone: Type.Optional(Phone),
  externalRef: Type.Optional(ExternalRef),
  installed: Type.Optional(Type.Unsafe<'true' | 'false'>({ type: 'string', enum: ['true', 'false'] })),
  partnerId: Type.Optional(Id),
  include: Type.Optional(oneOf(['details'])),
});

/** The one way in which people are asked for. */
export const HolderFilters = listQuery({
  identifier: Type.Optional(Identifier),
  email: Type.Optional(Email),
  phone: Type.Optional(Phone),
  q: Type.Optional(SearchText),
});
