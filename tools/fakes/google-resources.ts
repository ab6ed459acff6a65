import { type Answer, errorAnswer } from './google-answers.ts';
import {
  type GoogleWord,
  googleWords,
  isObject,
  type Kind,
  messageProblems,
  problemsOf,
} from './google-validator.ts';

type Members = Record<string, unknown>;

export interface Collection {
  readonly word: GoogleWord;
  readonly kind: Kind;
}

/** Classes and objects in memory, with the rules that Google holds them to. */
export interface Resources {
  insert(collection: Collection, body: unknown): Answer;
  read(collection: Collection, id: string): Answer;
  list(collection: Collection, parent: string): Answer;
  /** PUT: the whole resource anew. */
  replace(collection: Collection, id: string, body: unknown): Answer;
  patch(collection: Collection, id: string, body: unknown): Answer;
  addMessage(collection: Collection, id: string, body: unknown): Answer;
  find(collection: Collection, id: string): Members | undefined;
  /** A resource of any type; null where there is none. */
  findObject(id: string): { readonly collection: Collection; readonly object: Members } | null;
  /** A holder more, or one less: `hasUsers` follows. */
  countUser(objectId: string, difference: 1 | -1): void;
  all(): Members[];
}

/** Google announces at most three changes and messages of a card or class in 24 hours. */
const mostNotifications = 3;
const dayMs = 86_400_000;

export function createResources(issuerId: string, now: () => Date): Resources {
  const stored = new Map<string, Members>();
  const notified = new Map<string, number[]>();
  const users = new Map<string, number>();
  const keyOf = ({ word, kind }: Collection, id: string) => `${word}${kind}/${id}`;
  const find = (collection: Collection, id: string) => stored.get(keyOf(collection, id));

  /** Writes what has been checked. A class that asks for its review has it at once. */
  function store(collection: Collection, resource: Members): Answer {
    const { notifyPreference: _forgotten, ...kept } = resource;
    if (kept.reviewStatus === 'UNDER_REVIEW') kept.reviewStatus = 'APPROVED';
    stored.set(keyOf(collection, String(kept.id)), kept);
    return { status: 200, body: kept };
  }

  function refusal(collection: Collection, body: unknown): Answer | null {
    const problems = problemsOf(collection.word, collection.kind, body);
    if (problems.length > 0) return errorAnswer(400, 'badRequest', problems.join(' '));
    const { id, classId } = body as Members;
    for (const each of [id, classId].filter((value) => value !== undefined)) {
      if (!/^\d+\.[\w.-]+$/.test(String(each)))
        return errorAnswer(400, 'invalidResource', `Invalid resource ID: ${each}`);
      if (!String(each).startsWith(`${issuerId}.`))
        return errorAnswer(403, 'permissionDenied', 'Permission denied.');
    }
    return collection.kind === 'Object' ? classRefusal(collection, String(classId)) : null;
  }

  function classRefusal({ word }: Collection, classId: string): Answer | null {
    const parent = find({ word, kind: 'Class' }, classId);
    if (parent === undefined)
      return errorAnswer(404, 'classNotFound', `Wallet Object Class ${classId} not found.`);
    if (word !== 'generic' && parent.reviewStatus !== 'APPROVED')
      return errorAnswer(400, 'badRequest', `Class ${classId} is not approved.`);
    return null;
  }

  function notFound({ kind }: Collection, id: string): Answer {
    return kind === 'Class'
      ? errorAnswer(404, 'classNotFound', `Wallet Object Class ${id} not found.`)
      : errorAnswer(404, 'resourceNotFound', `Wallet Object ${id} not found.`);
  }

  function change(collection: Collection, id: string, before: Members, after: Members): Answer {
    // What the platform wrote is not the caller's to be checked.
    const { hasUsers, ...written } = after;
    if (written.reviewStatus === 'APPROVED')
      return errorAnswer(400, 'badRequest', 'A change of an approved class must ask for UNDER_REVIEW again.');
    const refused = refusal(collection, written);
    if (refused !== null) return refused;
    if (written.id !== id) return errorAnswer(400, 'badRequest', 'The id of a resource cannot change.');
    if (written.classId !== before.classId)
      return errorAnswer(400, 'badRequest', 'The class of an object cannot change.');
    if (written.reviewStatus === 'DRAFT' && before.reviewStatus !== 'DRAFT')
      return errorAnswer(400, 'badRequest', 'A class cannot go back to DRAFT.');
    if (written.notifyPreference === 'NOTIFY_ON_UPDATE' && !notify(collection, id))
      return quotaExceeded(issuerId, `updating ${id} with NOTIFY_ON_UPDATE`);
    return store(collection, { ...written, ...(hasUsers !== undefined && { hasUsers }) });
  }

  /** Counts a notification; false when there were three already. */
  function notify(collection: Collection, id: string): boolean {
    const key = keyOf(collection, id);
    const since = now().getTime() - dayMs;
    const recent = (notified.get(key) ?? []).filter((at) => at > since);
    if (recent.length >= mostNotifications) return false;
    notified.set(key, [...recent, now().getTime()]);
    return true;
  }

  function findObject(id: string): { collection: Collection; object: Members } | null {
    for (const word of googleWords) {
      const collection = { word, kind: 'Object' } as const;
      const object = find(collection, id);
      if (object !== undefined) return { collection, object };
    }
    return null;
  }

  return {
    insert(collection, body) {
      const refused = refusal(collection, body);
      if (refused !== null) return refused;
      const { id } = body as { id: string };
      if (find(collection, id) !== undefined)
        return errorAnswer(409, 'existingResource', `Wallet Object ${id} already exists.`);
      const resource = { ...(body as Members) };
      return store(collection, collection.kind === 'Object' ? { ...resource, hasUsers: false } : resource);
    },
    read(collection, id) {
      const found = find(collection, id);
      return found === undefined ? notFound(collection, id) : { status: 200, body: found };
    },
    list({ word, kind }, parent) {
      const resources = [...stored]
        .filter(([key, resource]) => {
          const of = kind === 'Class' ? String(resource.id).split('.')[0] : resource.classId;
          return key.startsWith(`${word}${kind}/`) && of === parent;
        })
        .map(([, resource]) => resource);
      return { status: 200, body: { resources, pagination: { resultsPerPage: resources.length } } };
    },
    replace(collection, id, body) {
      const before = find(collection, id);
      if (before === undefined) return notFound(collection, id);
      if (!isObject(body)) return errorAnswer(400, 'badRequest', 'The body is no JSON object.');
      const hasUsers = before.hasUsers === undefined ? {} : { hasUsers: before.hasUsers };
      return change(collection, id, before, { ...body, ...hasUsers });
    },
    patch(collection, id, body) {
      const before = find(collection, id);
      if (before === undefined) return notFound(collection, id);
      if (!isObject(body)) return errorAnswer(400, 'badRequest', 'The body is no JSON object.');
      return change(collection, id, before, merged(before, body));
    },
    addMessage(collection, id, body) {
      const before = find(collection, id);
      if (before === undefined) return notFound(collection, id);
      const problems = messageProblems(body);
      if (problems.length > 0) return errorAnswer(400, 'badRequest', problems.join(' '));
      const { message } = body as { message: Members };
      if (message.messageType === 'TEXT_AND_NOTIFY' && !notify(collection, id)) {
        const what = collection.kind === 'Class' ? 'class' : 'object';
        return quotaExceeded(issuerId, `adding TEXT_AND_NOTIFY message to ${what} ${id}`);
      }
      // The oldest make room.
      const messages = [...((before.messages as unknown[] | undefined) ?? []), message].slice(-10);
      stored.set(keyOf(collection, id), { ...before, messages });
      return { status: 200, body: { resource: { ...before, messages } } };
    },
    find,
    findObject,
    countUser(objectId, difference) {
      const found = findObject(objectId);
      if (found === null) return;
      const count = Math.max(0, (users.get(objectId) ?? 0) + difference);
      users.set(objectId, count);
      stored.set(keyOf(found.collection, objectId), { ...found.object, hasUsers: count > 0 });
    },
    all: () => [...stored.values()],
  };
}

/** As it was reported of the live service: 403, not 429. */
function quotaExceeded(issuerId: string, what: string): Answer {
  return errorAnswer(403, 'quotaExceeded', `Quota exceeded for issuer ${issuerId} when ${what}.`);
}

/** PATCH: objects are merged, lists replaced whole, null deletes. */
function merged(before: Members, change: Members): Members {
  const after = { ...before };
  for (const [name, value] of Object.entries(change)) {
    const old = after[name];
    if (value === null) delete after[name];
    else after[name] = isObject(value) ? merged(isObject(old) ? old : {}, value) : value;
  }
  return after;
}
