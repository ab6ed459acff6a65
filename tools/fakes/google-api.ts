import type { TokenEndpoint } from './google-account.ts';
import { type Answer, errorAnswer } from './google-answers.ts';
import type { Collection, Resources } from './google-resources.ts';
import type { GoogleRequest } from './google-server.ts';
import { googleWords, isObject } from './google-validator.ts';

/** Where the Wallet API begins. */
export const apiRoot = '/walletobjects/v1/';

/** Answers as the REST API does: token, path, method, and then the rules of the resources. */
export function answerApi(request: GoogleRequest, tokens: TokenEndpoint, resources: Resources): Answer {
  if (!tokens.accepts(request.authorization)) {
    const message = 'Request had invalid authentication credentials.';
    return { status: 401, body: { error: { code: 401, message, status: 'UNAUTHENTICATED' } } };
  }
  const [name = '', id, verb, ...rest] = request.url.pathname.slice(apiRoot.length).split('/');
  const collection = collectionOf(name);
  if (collection === null || rest.length > 0) return notThere(request);
  const answer = carryOut(collection, id, verb, request, resources);
  return answer === null ? notThere(request) : withFields(answer, request.url.searchParams.get('fields'));
}

/** `loyaltyObject`; null when there is no such collection. */
export function collectionOf(name: string): Collection | null {
  for (const word of googleWords) {
    if (name === `${word}Class`) return { word, kind: 'Class' };
    if (name === `${word}Object`) return { word, kind: 'Object' };
  }
  return null;
}

function carryOut(
  collection: Collection,
  id: string | undefined,
  verb: string | undefined,
  { method, url, body }: GoogleRequest,
  resources: Resources,
): Answer | null {
  if (method !== 'GET' && !isObject(body))
    return errorAnswer(400, 'parseError', 'Invalid JSON payload received.');
  const operation = `${method}${id === undefined ? '' : ' id'}${verb === undefined ? '' : ` ${verb}`}`;
  const resourceId = decodeURIComponent(id ?? '');
  switch (operation) {
    case 'POST':
      return resources.insert(collection, body);
    case 'GET':
      return resources.list(collection, listedBy(collection, url.searchParams));
    case 'GET id':
      return resources.read(collection, resourceId);
    case 'PUT id':
      return resources.replace(collection, resourceId, body);
    case 'PATCH id':
      return resources.patch(collection, resourceId, body);
    case 'POST id addMessage':
      return resources.addMessage(collection, resourceId, body);
    default:
      return null;
  }
}

function listedBy({ kind }: Collection, query: URLSearchParams): string {
  return query.get(kind === 'Class' ? 'issuerId' : 'classId') ?? '';
}

function notThere({ method, url }: GoogleRequest): Answer {
  return errorAnswer(404, 'notFound', `There is no ${method} ${url.pathname}.`);
}

/** A partial answer: the members that `fields` names, of the first level. */
function withFields(answer: Answer, fields: string | null): Answer {
  if (fields === null || answer.status !== 200 || !isObject(answer.body)) return answer;
  const names = new Set(fields.replaceAll(/\([^)]*\)/g, '').split(','));
  const members = Object.entries(answer.body).filter(([name]) => names.has(name));
  return { ...answer, body: Object.fromEntries(members) };
}
