import { Type } from 'typebox';
import { documentedWith, named } from '../kit/http/schemas/documented.ts';
import { Currency } from '../kit/http/schemas/money.ts';
import {
  closed,
  ExternalRef,
  Id,
  line,
  nullable,
  oneOf,
  partial,
  prose,
  Timestamp,
} from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { zoneName } from '../kit/time.ts';
import type { WorkspaceRow } from './workspaces.sql.ts';

export const HexColor = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  maxLength: 7,
  description: 'a colour such as #10324a',
});

const colorColumns = {
  background: nullable(HexColor),
  foreground: nullable(HexColor),
  label: nullable(HexColor),
};

/** Card colours; null leaves the choice to the wallet. */
export const Colors = closed(colorColumns);
/** Some of them; absent leaves alone. */
export const ColorChanges = Type.Partial(Colors, { additionalProperties: false });

export const Plan = oneOf(['entry', 'pro']);
const ownSettings = {
  name: line(120),
  timezone: Type.String({
    maxLength: 64,
    pattern: '^[A-Za-z0-9_+\\/\\-]+$',
    description: 'IANA name, e.g. Europe/Berlin',
  }),
  locale: Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', maxLength: 35 }),
  currency: Currency,
  country: nullable(
    Type.String({
      pattern: '^[A-Z]{2}$',
      maxLength: 2,
      description:
        'ISO 3166-1, e.g. DE: how telephone numbers without a country are read; null: by the time zone or the locale, where these name a country',
    }),
  ),
  defaults: closed({ colors: Type.Optional(ColorChanges), terms: Type.Optional(nullable(prose(5_000))) }),
};

export const Workspace = closed(
  {
    workspaceId: Id,
    ...ownSettings,
    plan: Plan,
    credits: Type.Integer(),
    drafts: Type.Integer(),
    suspended: Type.Boolean(),
    createdAt: Timestamp,
  },
  { $id: 'Workspace' },
);

export const WorkspaceChanges = named('WorkspaceChanges', partial(ownSettings));

export const NewWorkspace = named(
  'NewWorkspace',
  closed({
    name: ownSettings.name,
    plan: Type.Optional(Plan),
    credits: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })),
  }),
);

export const CreatedWorkspace = named(
  'CreatedWorkspace',
  closed({
    workspaceId: Id,
    name: Type.String(),
    plan: Plan,
    credits: Type.Integer(),
    apiKey: Type.String({ description: 'a full-access key; shown only here' }),
  }),
);

export const OperatorChanges = named(
  'WorkspaceChangesByOperator',
  partial({ name: ownSettings.name, plan: Plan, suspended: Type.Boolean() }),
);

/** A workspace as the API shows it. */
export function presentWorkspace(row: WorkspaceRow & { readonly drafts: number }) {
  return {
    workspaceId: encodeId('ws', row.workspaceId),
    name: row.name,
    timezone: zoneName(row.timezone) ?? 'UTC',
    locale: row.locale,
    currency: row.currency,
    country: row.country,
    defaults: row.defaults,
    plan: row.plan,
    credits: row.credits,
    drafts: row.drafts,
    suspended: row.suspendedAt !== null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** What tops up a workspace, or takes credits back. */
export const NewCredits = named(
  'NewCredits',
  closed({
    amount: documentedWith(
      Type.Integer({
        minimum: -1_000_000_000_000,
        maximum: 1_000_000_000_000,
        description: 'a negative amount corrects: it takes back what is free, and no more',
      }),
      { not: { const: 0 } },
    ),
    externalRef: ExternalRef,
    note: Type.Optional(line(500)),
  }),
);
