import { findAnyWorkspace } from '../administration/update-workspace.ts';
import type { KeyCtx, OperatorCtx, PublicCtx } from '../context.ts';
import { answer, emptyAnswer, endpoint, operatorWriteEndpoint, writeEndpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { listMembers } from '../people/people.sql.ts';
import { createPerson as createPersonVerb } from '../sign-in/create-person.ts';
import { createPersonLink as createLinkVerb } from '../sign-in/create-person-link.ts';
import { inviteOwner as inviteOwnerVerb } from '../sign-in/invite-owner.ts';
import {
  deletePerson as deletePersonVerb,
  findOwnPerson,
  preparePin,
  updatePerson as updatePersonVerb,
} from '../sign-in/people.ts';
import * as shapes from '../sign-in/person.schema.ts';
import { hashPin } from '../sign-in/pin-rules.ts';
import { sendSignInLink as sendLinkVerb } from '../sign-in/send-sign-in-link.ts';

const tag = 'People';
const PersonPath = closed({ personId: Id });
const WorkspacePath = closed({ workspaceId: Id });

export const createPerson = writeEndpoint({
  op: 'createPerson',
  call: 'people.invite',
  tag,
  summary: 'Invite a person to the workspace',
  description:
    'Owners do everything; managers all but people and keys; staff look up, award and redeem, and undo what they entered, at their partner where one is set; viewers read. The invitation is mailed, in the language that `Accept-Language` asks for or else that of the workspace; without a mail server `link` is for you to pass on. With a `pin` they sign in at shared tills from then on.',
  sealed: true,
  body: shapes.NewPerson,
  example: { email: 'ada@example.com', name: 'Ada', role: 'manager' },
  answers: { 201: shapes.InvitedPerson },
  errors: ['person_exists', 'partner_not_found'],
  // Of a PIN no hash is kept that could be tried out quickly.
  effect: ({ params, body: { pin: _, ...rest } }) => [params, rest],
  prepare: async (ctx, { body: { pin } }) => (pin === undefined ? null : hashPin(ctx, pin)),
  committed: (ctx) => ctx.app.sessionCache.clear(),
  async handle(tx, ctx, { body: { pin: _, ...person }, headers }, pinHash) {
    return answer(201, await createPersonVerb(tx, ctx, { ...person, pinHash }, headers['accept-language']));
  },
});

export const listPeople = endpoint({
  op: 'listPeople',
  call: 'people.list',
  tag,
  summary: 'List the people of the workspace',
  description: 'Newest first.',
  query: listQuery(madeBetween),
  answers: { 200: listOf(shapes.Person) },
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const page = pageMade(ctx, `listPeople/${ctx.workspaceId}`, query);
    const rows = await listMembers(db, ctx.workspaceId, page);
    return answer(200, page.of(rows, 'personId', shapes.presentPerson));
  },
});

export const getPerson = endpoint({
  op: 'getPerson',
  call: 'people.get',
  tag,
  summary: 'A person of the workspace',
  description: 'By the id that audit log, ledger and events name.',
  params: PersonPath,
  answers: { 200: shapes.Person },
  errors: ['person_not_found'],
  async handle(ctx: KeyCtx, { params }) {
    return answer(200, shapes.presentPerson(await findOwnPerson(ctx.app.database.db, ctx, params.personId)));
  },
});

export const updatePerson = writeEndpoint({
  op: 'updatePerson',
  call: 'people.update',
  tag,
  summary: "Change a person's name, role or partner",
  description:
    'It counts within a second. The last owner stays one. A `pin` signs in at shared tills; null takes it away. A person without an address can get one; it never changes.',
  params: PersonPath,
  body: shapes.PersonChanges,
  example: { role: 'staff' },
  answers: { 200: shapes.Person },
  errors: ['person_not_found', 'last_owner', 'person_exists', 'partner_not_found'],
  // Of a PIN no hash is kept that could be tried out quickly.
  effect: ({ params, body: { pin, ...rest } }) => [params.personId, rest, pin === null],
  prepare: (ctx, { params, body: { pin } }) => preparePin(ctx, params.personId, pin),
  committed: (ctx) => ctx.app.sessionCache.clear(),
  handle: async (tx, ctx, { params, body }, pin) =>
    answer(200, await updatePersonVerb(tx, ctx, { personId: params.personId, changes: body, pin })),
});

export const deletePerson = writeEndpoint({
  op: 'deletePerson',
  call: 'people.remove',
  tag,
  summary: 'Take a person out of the workspace',
  description: 'Within a second they reach nothing of it. The last owner stays.',
  params: PersonPath,
  answers: { 204: null },
  errors: ['person_not_found', 'last_owner'],
  committed: (ctx) => ctx.app.sessionCache.clear(),
  handle: async (tx, ctx, { params }) => emptyAnswer(204, deletePersonVerb(tx, ctx, params.personId)),
});

export const createPersonLink = writeEndpoint({
  op: 'createPersonLink',
  call: 'people.createLink',
  tag,
  summary: 'Give a person a new sign-in link',
  description:
    'It works once, for seven days. It is mailed; without a mail server `link` is for you to pass on, and null for a person who belongs to other workspaces too.',
  sealed: true,
  params: PersonPath,
  answers: { 201: shapes.PersonLink },
  errors: ['person_not_found'],
  handle: async (tx, ctx, { params, headers }) =>
    answer(201, await createLinkVerb(tx, ctx, params.personId, headers['accept-language'])),
});

export const sendSignInLink = endpoint({
  op: 'sendSignInLink',
  tag,
  summary: 'Ask for a sign-in link by mail',
  description:
    'It works once, for 30 minutes. The mail is in the language that `Accept-Language` asks for. The answer is the same for an unknown address. Limited by address.',
  body: shapes.LinkRequest,
  example: { email: 'ada@example.com' },
  answers: { 202: null },
  handle: async (ctx: PublicCtx, { body, headers }) =>
    emptyAnswer(202, sendLinkVerb(ctx, body.email, headers['accept-language'])),
});

export const inviteOwner = operatorWriteEndpoint({
  op: 'inviteOwner',
  call: 'operator.inviteOwner',
  tag: 'Operator',
  summary: 'Invite the owner of a workspace',
  description:
    'The invitation is mailed; without a mail server `link` is for you to pass on. For an owner who was invited and has not joined it makes a new link.',
  sealed: true,
  params: WorkspacePath,
  body: shapes.NewOwner,
  example: { email: 'ada@example.com', name: 'Ada' },
  answers: { 201: shapes.InvitedPerson },
  errors: ['workspace_not_found', 'person_exists'],
  committed: (ctx) => ctx.app.sessionCache.clear(),
  async handle(tx, ctx, { params, body, headers }) {
    const { workspaceId } = await findAnyWorkspace(tx, params.workspaceId);
    return answer(201, await inviteOwnerVerb(tx, ctx, { ...body, workspaceId }, headers['accept-language']));
  },
});

export const listAnyPeople = endpoint({
  op: 'listAnyPeople',
  call: 'operator.listPeople',
  tag: 'Operator',
  summary: 'List the people of a workspace',
  description: 'Newest first, with those who were invited and have not joined.',
  params: WorkspacePath,
  query: listQuery(madeBetween),
  answers: { 200: listOf(shapes.Person) },
  errors: ['workspace_not_found'],
  async handle(ctx: OperatorCtx, { params, query }) {
    const { db } = ctx.app.database;
    const { workspaceId } = await findAnyWorkspace(db, params.workspaceId);
    const page = pageMade(ctx, `listAnyPeople/${workspaceId}`, query);
    const rows = await listMembers(db, workspaceId, page);
    return answer(200, page.of(rows, 'personId', shapes.presentPerson));
  },
});
