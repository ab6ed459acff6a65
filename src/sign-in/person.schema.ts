import { Type } from 'typebox';
import type { AdmittedMembership, AdmittedSession, SessionRow } from '../access/sessions.sql.ts';
import { named } from '../kit/http/schemas/documented.ts';
import { closed, Id, line, nullable, oneOf, partial, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { InvitationRow } from '../people/invitations.sql.ts';
import type { MemberRow } from '../people/people.sql.ts';
import { roles } from '../people/roles.ts';
import { PasskeyAssertion } from './passkey.schema.ts';

const Email = line(254, 'E-mail address');
const Role = oneOf(roles);
const Pin = Type.String({
  pattern: '^[0-9]{4,8}$',
  maxLength: 8,
  description: 'four to eight digits, for shared tills; not for viewers',
});
const PartnerId = nullable(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'of staff: the only partner that their awards and redeems are for; null for any',
  }),
);

export const NewPerson = named(
  'NewPerson',
  closed({
    email: Email,
    name: line(120),
    role: Role,
    partnerId: Type.Optional(PartnerId),
    pin: Type.Optional(Pin),
  }),
);

export const NewOwner = named('NewOwner', closed({ email: Email, name: line(120) }));

export const PersonChanges = named(
  'PersonChanges',
  partial({ email: Email, name: line(120), role: Role, partnerId: PartnerId, pin: nullable(Pin) }),
);

const personFields = {
  personId: Id,
  email: nullable(Type.String()),
  name: Type.String(),
  role: Role,
  partnerId: nullable(Id),
  hasPin: Type.Boolean({ description: 'signs in at shared tills' }),
  pending: Type.Boolean({ description: 'invited, and not joined yet' }),
  createdAt: Timestamp,
};

export const Person = closed(personFields, { $id: 'Person' });

const Link = nullable(
  Type.String({
    description:
      'signs the person in, once, where it cannot be mailed; null: it was mailed, or is not yours to give',
  }),
);

export const InvitedPerson = named('InvitedPerson', closed({ ...personFields, link: Link }));

export const PersonLink = named('PersonLink', closed({ link: Link }));

export const LinkRequest = named('LinkRequest', closed({ email: Email }));

const Password = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'at least 10 characters, and none that is chosen often',
});

export const SignIn = named(
  'SignIn',
  Type.Union([
    closed({
      link: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'a sign-in link, or the last part of one',
      }),
    }),
    closed({ email: Email, password: Password }),
    closed({ personId: Id, pin: Pin }),
    PasskeyAssertion,
  ]),
);

export const JoinedWorkspace = named('JoinedWorkspace', closed({ workspaceId: Id }));

/** What the buttons next to an invitation send on the page. */
export const InvitationAnswer = closed({ workspaceId: Id, answer: oneOf(['accept', 'decline']) });

export const NewPassword = named('NewPassword', closed({ password: Password }));

/** Ways in, as the console offers them. */
export const waysIn = ['passkey', 'password', 'mail', 'provider'] as const;

export const OwnChanges = named('OwnChanges', partial({ name: line(120), email: Email }));

export const OwnPerson = named(
  'OwnPerson',
  closed({
    personId: Id,
    name: Type.String(),
    email: nullable(Type.String()),
    emailProved: Type.Boolean({ description: 'a link that was mailed to it was followed' }),
    mailedTo: nullable(
      Type.String({ description: 'a link went there: what it proves is the address from then on' }),
    ),
  }),
);

export const AddressProof = named(
  'AddressProof',
  closed({ token: Type.String({ minLength: 1, maxLength: 2_000, description: 'the end of the link' }) }),
);

/** What the form on the page of signing in sends: without a password a link is mailed. */
export const SignInForm = closed({ email: Email, password: Type.Optional(Type.String({ maxLength: 200 })) });

const sessionFields = {
  sessionId: Id,
  current: Type.Boolean({ description: 'the one that asks' }),
  userAgent: nullable(Type.String()),
  signedInAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
};

export const Session = closed(sessionFields, { $id: 'Session' });

export const SignedIn = named(
  'SignedIn',
  closed({
    sessionId: Id,
    signedInAt: Timestamp,
    expiresAt: Timestamp,
    person: closed({ personId: Id, email: nullable(Type.String()), name: Type.String() }),
    workspaces: Type.Array(
      closed({
        workspaceId: Id,
        name: Type.String(),
        personId: Type.String({ description: 'what this workspace knows the person by' }),
        personName: Type.String({ description: 'what it calls them' }),
        role: Role,
        partnerId: nullable(Id),
        suspended: Type.Boolean(),
        color: nullable(Type.String({ description: 'the background of its cards, such as #10324a' })),
      }),
    ),
    invitations: Type.Array(
      closed({ workspaceId: Id, name: Type.String(), role: Role, invitedAt: Timestamp }),
      { description: 'workspaces that the person may join: POST /sessions/current/workspaces' },
    ),
    waysIn: Type.Array(oneOf(waysIn), {
      description:
        'what the person can sign in with again; empty: with nothing, so that they may set a first one',
    }),
    emailProved: Type.Boolean({ description: 'a link that was mailed to the address was followed' }),
    mailServer: Type.Boolean({ description: 'the service has one, so that links reach addresses' }),
  }),
);

/** A person as their workspace sees them. */
export function presentPerson(row: MemberRow) {
  return {
    personId: encodeId('person', row.personId),
    email: row.email,
    name: row.name,
    role: row.role,
    partnerId: row.partnerId === null ? null : encodeId('part', row.partnerId),
    hasPin: row.pin !== null,
    pending: row.pending,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The name of a person where no workspace is meant: the one that their first workspace uses. */
export function ownMembership({ personId, memberships }: AdmittedSession): AdmittedMembership | undefined {
  return memberships.findLast((one) => one.personId === personId) ?? memberships.at(-1);
}

/** What is shown of how a person gets back in. */
interface WaysShown {
  readonly isProved: boolean;
  readonly waysIn: readonly (typeof waysIn)[number][];
  readonly hasMailServer: boolean;
}

/** Who is signed in, where they belong, where they may, and how they get back in. */
export function presentSignedIn(
  session: AdmittedSession,
  invitations: readonly InvitationRow[],
  ways: WaysShown,
) {
  const own = ownMembership(session);
  return {
    sessionId: encodeId('session', session.sessionId),
    signedInAt: session.signedInAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    person: {
      personId: encodeId('person', (own ?? session).personId),
      email: session.email,
      name: own?.name ?? '',
    },
    workspaces: session.memberships.map((one) => ({
      workspaceId: encodeId('ws', one.workspaceId),
      name: one.workspaceName,
      personId: encodeId('person', one.personId),
      personName: one.name,
      role: one.role,
      partnerId: one.partnerId === null ? null : encodeId('part', one.partnerId),
      suspended: one.isSuspended,
      color: one.color,
    })),
    invitations: invitations.map((one) => ({
      workspaceId: encodeId('ws', one.workspaceId),
      name: one.workspaceName,
      role: one.role,
      invitedAt: one.createdAt.toISOString(),
    })),
    waysIn: [...ways.waysIn],
    emailProved: ways.isProved,
    mailServer: ways.hasMailServer,
  };
}

/** A session as its person sees it; `current` is the one that asks. */
export function presentSession(row: SessionRow, current: { readonly sessionId: string }) {
  return {
    sessionId: encodeId('session', row.sessionId),
    current: row.sessionId === current.sessionId,
    userAgent: row.userAgent,
    signedInAt: row.signedInAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}
