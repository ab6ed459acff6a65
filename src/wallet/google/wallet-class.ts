import { type GoogleDesign, type GoogleField, type GoogleResource, refuseBrokenDesign } from './card.ts';
import { cardTemplate, fieldModules, linksModule, mostTextModules } from './card-layout.ts';
import { image, localized, merchantLocations, textModule } from './resource.ts';

/**
 * The class of a design, complete: what the design lacks is null or empty in it, so that a PATCH with it clears what
 * an earlier design had. Equal designs give equal JSON. Loyalty cards must have a logo: `fallbackLogoUrl` is theirs
 * when the design has none. When there are too many texts, details and terms stay, then the fields of the front, then
 * the first of the others; of the locations, the first ten. Throws an Error that names the property and the fix when
 * Google would refuse the class. Members: Google Wallet API v1, the …Class resources.
 */
export function walletClass(design: GoogleDesign, fallbackLogoUrl: string): GoogleResource {
  refuseBrokenDesign(design, fallbackLogoUrl);
  return {
    id: design.classId,
    ...headline(design, fallbackLogoUrl),
    textModulesData: textModules(design),
    linksModuleData: linksModule(design, fixed.uri, design.actions),
    valueAddedModuleData: valueAdded(design),
    appLinkData: appLink(design),
    classTemplateInfo: cardTemplate(design),
    merchantLocations: merchantLocations(design.locations),
    // As with a pass file, a person who has the card's link may add it, unless it is not to be handed on.
    multipleDevicesAndHoldersAllowedStatus:
      design.options.sharing === false ? 'ONE_USER_ALL_DEVICES' : 'MULTIPLE_HOLDERS',
    viewUnlockRequirement: unlock(design.options.unlock),
    securityAnimation: design.options.shimmer ? { animationType: 'FOIL_SHIMMER' } : null,
    enableSmartTap: design.redemptionIssuers.length > 0 ? true : null,
    redemptionIssuers: design.redemptionIssuers.length > 0 ? design.redemptionIssuers : null,
    // A PATCH leaves messages alone where it does not name them.
    ...(design.hasNewsEnded && { messages: [] }),
    callbackOptions: design.callbackUrl === null ? null : { url: design.callbackUrl },
  };
}

/** The button on the front: the most important link that is a page, and the shop's app where it is there. */
function appLink({ actions, options: { androidApp }, language }: GoogleDesign): object | null {
  const page = actions.find(({ uri }) => /^https?:/.test(uri));
  if (page === undefined && androidApp === undefined) return null;
  return {
    webAppLinkInfo:
      page === undefined ? null : { appTarget: { targetUri: { uri: page.uri, description: page.title } } },
    androidAppLinkInfo: androidApp === undefined ? null : { appTarget: { packageName: androidApp } },
    displayText: page === undefined ? null : localized(language, page.title),
  };
}

/** The offers and links, in their order; null for none. */
function valueAdded({ modules, language }: GoogleDesign): object[] | null {
  const written = modules.map(({ header, body, uri }, at) => ({
    header: localized(language, header),
    ...(body !== null && { body: localized(language, body) }),
    uri,
    sortIndex: at,
  }));
  return written.length === 0 ? null : written;
}

function unlock(isWanted: boolean | undefined): string | null {
  if (isWanted === undefined) return null;
  return isWanted ? 'UNLOCK_REQUIRED_TO_VIEW' : 'UNLOCK_NOT_REQUIRED';
}

/** What all cards say. */
const fixed = {
  text: ({ editable, value }: GoogleField) => (editable ? null : value),
  uri: ({ editable, uri }: GoogleField) => (editable ? null : uri),
};

/** What differs from type to type. Generic classes have no names, no look and no review; their objects have those. */
function headline(design: GoogleDesign, fallbackLogoUrl: string): object {
  const { organizationName, title, language, hero } = design;
  const picture = (url: string | null) => (url === null ? null : image(url, language, organizationName));
  const common = {
    issuerName: organizationName,
    // Every change asks for a review again. Google approves at once.
    reviewStatus: 'UNDER_REVIEW',
    hexBackgroundColor: design.colors.background,
    heroImage: hero === null ? null : image(hero.url, language, hero.description),
  };
  switch (design.type) {
    case 'loyalty':
      return { ...common, programName: title, programLogo: picture(design.logoUrl ?? fallbackLogoUrl) };
    case 'coupon':
      return {
        ...common,
        title,
        provider: organizationName,
        redemptionChannel: 'BOTH',
        titleImage: picture(design.logoUrl),
        details: design.details || null,
        finePrint: design.terms || null,
      };
    case 'eventTicket':
      return {
        ...common,
        eventName: localized(language, title),
        logo: picture(design.logoUrl),
        dateTime: design.date && { start: design.date.start, end: design.date.end ?? null },
        finePrint: design.terms ? localized(language, design.terms) : null,
      };
    case 'giftCard':
      return {
        ...common,
        merchantName: title,
        programLogo: picture(design.logoUrl),
        allowBarcodeRedemption: true,
      };
    case 'generic':
      return {};
  }
}

function textModules(design: GoogleDesign): object[] {
  const { type, details, terms, words } = design;
  // Coupons and tickets have members of their own for some of it.
  const prose = [
    ...(details && type !== 'coupon' ? [textModule('details', words.details, details)] : []),
    ...(terms && type !== 'coupon' && type !== 'eventTicket'
      ? [textModule('terms', words.terms, terms)]
      : []),
  ];
  const room = mostTextModules - prose.length;
  return [...fieldModules(design, fixed, room), ...prose];
}
