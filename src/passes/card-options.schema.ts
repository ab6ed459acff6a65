import { type TSchema, Type } from 'typebox';
import { stampIcons } from '../kit/anywhere/stamp-icons.ts';
import { documentedWith } from '../kit/http/schemas/documented.ts';
import { closed, line, Moment, nullable, oneOf, Timestamp } from '../kit/http/schemas/shapes.ts';
import { HexColor } from '../workspaces/workspace.schema.ts';
import { actionKinds } from './pass-row.ts';
import { cardText } from './text.schema.ts';
import { purposes } from './wallet-options.ts';

const uint16 = Type.Integer({ minimum: 0, maximum: 65_535 });

const Beacon = closed(
  {
    uuid: Type.String({
      pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
      description: 'the proximity UUID that it sends',
    }),
    major: Type.Optional(uint16),
    minor: Type.Optional(uint16),
    relevantText: Type.Optional(nullable(cardText.relevantText)),
  },
  { $id: 'PassBeacon' },
);

export const Beacons = Type.Array(Beacon, {
  maxItems: 10,
  description: 'Bluetooth beacons near which iPhones show the card on the lock screen',
});

function datesOf<T extends TSchema>(moment: T, $id: string) {
  const properties = {
    start: Type.Optional(moment),
    end: Type.Optional(nullable(moment)),
    field: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'in the place of `start`: a field with the format `dateTime` or `relative`, whose value is it',
      }),
    ),
  };
  return Type.Array(closed(properties, { $id }), {
    maxItems: 10,
    description:
      'when the card matters: wallets bring it up then. The first is that of an event ticket at Google, and of iPhones before iOS 18',
  });
}

/** As they are sent, and as they are shown. */
export const NewDates = datesOf(Moment, 'NewPassDate');
export const Dates = datesOf(Timestamp, 'PassDate');

const Action = closed(
  {
    kind: oneOf(actionKinds),
    title: cardText.actionTitle,
    to: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description:
        'an address of the web such as https://example.com/menu, or with `call` a telephone number',
    }),
  },
  { $id: 'PassAction' },
);

export const Actions = Type.Array(Action, {
  maxItems: 2,
  description:
    'buttons of the card, the most important first: `kind` is what they are for. iPhones write the words of the kind themselves, the others write `title`',
});

const Module = closed(
  {
    header: cardText.moduleHeader,
    body: Type.Optional(nullable(cardText.moduleBody)),
    url: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'an https address such as https://example.com/offers',
    }),
  },
  { $id: 'PassModule' },
);

export const Modules = Type.Array(Module, {
  maxItems: 10,
  description:
    'offers and links below the card, in their order: modules at Google, links on the back in Apple Wallet and on pages',
});

const set = {
  sharing: Type.Boolean({ description: 'whether holders may hand the card on' }),
  screenshots: Type.Boolean({
    description: 'whether Android allows pictures of the screen',
  }),
  unlock: Type.Boolean({
    description:
      'whether Android asks to unlock the phone before it shows the card, and an iPhone before it hands it to a reader',
  }),
  shimmer: Type.Boolean({
    description: 'whether a sheen moves over the card on Android, which a picture of it has not',
  }),
  expiryNotice: Type.Boolean({
    description:
      'whether Google reminds holders before the card expires. It does by itself but for `generic`',
  }),
  group: documentedWith(line(64), {
    description: 'cards of one holder with the same name are shown together',
  }),
  purpose: documentedWith(oneOf(purposes), {
    $id: 'CardPurpose',
    description: 'what a card of the type `generic` is for',
  }),
  appStoreIds: Type.Array(Type.Integer({ minimum: 1, maximum: 2 ** 53 - 1 }), {
    minItems: 1,
    maxItems: 5,
    description: "the shop's apps in the App Store, by their numbers there: iPhones offer the first one",
  }),
  appUrl: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9+.\\-]*:[\\x21-\\x7e]+$',
    maxLength: 1_000,
    description: 'what that app is opened with; needs `appStoreIds`',
  }),
  androidApp: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$',
    maxLength: 150,
    description: "the shop's app at Google Play, such as com.example.shop",
  }),
  logoSymbol: Type.String({
    pattern: '^[a-z0-9]+(\\.[a-z0-9]+)*$',
    maxLength: 100,
    description: 'an SF Symbol in the place of the logo from iOS 27 on, such as cup.and.saucer.fill',
  }),
  nfc: documentedWith(oneOf(['code', 'identifier']), {
    description:
      'what readers get when the phone is held to them: the code of the card, or the identifier of its holder; needs `PUT /workspace/wallets/nfc`',
  }),
};

/** What is asked of wallets that they do not do by themselves. */
export const Options = Type.Partial(closed(set), {
  $id: 'WalletOptions',
  additionalProperties: false,
  description: 'what wallets are to do differently from what they do by themselves',
});

/** Null leaves it to the wallets again; absent leaves it alone. */
export const OptionChanges = Type.Partial(
  closed({
    sharing: nullable(set.sharing),
    screenshots: nullable(set.screenshots),
    unlock: nullable(set.unlock),
    shimmer: nullable(set.shimmer),
    expiryNotice: nullable(set.expiryNotice),
    group: nullable(set.group),
    purpose: nullable(set.purpose),
    appStoreIds: nullable(set.appStoreIds),
    appUrl: nullable(set.appUrl),
    androidApp: nullable(set.androidApp),
    logoSymbol: nullable(set.logoSymbol),
    nfc: nullable(set.nfc),
  }),
  {
    $id: 'WalletOptionChanges',
    additionalProperties: false,
    description: 'one that is absent stays, null leaves it to the wallets again',
  },
);

const stamps = {
  over: documentedWith(oneOf(['plain', 'image']), {
    description: 'what is behind them: a plain ground, or the strip or hero image of the pass',
  }),
  icon: nullable(
    documentedWith(oneOf(stampIcons), { $id: 'StampIcon', description: 'what a stamp shows; null: a check' }),
  ),
  color: nullable(
    documentedWith(HexColor, { description: 'of the stamps; null: that of the texts of the card' }),
  ),
  markColor: nullable(
    documentedWith(HexColor, { description: 'of what a stamp shows; null: one that can be seen on it' }),
  ),
};
const howDrawn = 'how cards of a program in STAMPS draw them';

export const StampsShown = closed(stamps, { $id: 'PassStamps', description: howDrawn });

/** Null is what cards do by themselves; absent leaves it alone. */
export const StampChanges = Type.Partial(closed(stamps), {
  $id: 'PassStampChanges',
  additionalProperties: false,
  description: `${howDrawn}: one that is absent stays`,
});
