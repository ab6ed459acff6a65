/** Texts of why a phone does not show what a card says; by the codes of `GET /instances/{instanceId}/diagnosis`. */
interface FindingTexts {
  readonly what: string;
  /** What to do about it; absent where nothing is. */
  readonly advice?: string;
}

/** Where it says when, that is `{at}`; `{wallet}` is a wallet. */
const findings: Readonly<Record<string, FindingTexts>> = {
  card_active: { what: 'The card is valid' },
  card_erased: {
    what: 'The person was erased: the card is void for good',
    advice: 'Issue a new card.',
  },
  card_voided: {
    what: 'The card is void, and wallets show it so',
    advice: 'Make it valid again if that was not meant.',
  },
  card_imported: {
    what: 'The wallet got the card from another system, and asks that one for changes',
    advice: 'The holder adds the card again through its link, and removes the old one.',
  },
  pass_not_published: { what: 'The pass is not published; cards that exist work all the same' },
  service_address: {
    what: 'Phones cannot ask the service for changes: its address is not https',
    advice: 'Ask the operator of the service.',
  },
  certificate: {
    what: 'The certificate that cards are signed with is not in order',
    advice: 'Look at the wallets in the settings, or ask the operator of the service.',
  },
  held: { what: 'The card is in a wallet' },
  removed: {
    what: 'The holder has removed the card, or turned automatic updates off, on {at}',
    advice: 'The holder adds it again through its link.',
  },
  not_registered: {
    what: 'The card was fetched on {at}, and no phone has kept it',
    advice:
      'The holder opens the link again and presses "Add". Some wallets for Android never ask for changes.',
  },
  not_added: {
    what: 'The link was opened on {at}, and the card was not added',
    advice: 'The holder opens the link on the phone, and presses the button of the wallet.',
  },
  never_opened: { what: 'The link to the card was never opened', advice: 'Send it to the holder.' },
  given_up: { what: '{wallet} gave the card up last on {at}' },
  device_reported: { what: 'A phone has reported a problem on {at}' },
  credits_missing: {
    what: 'Changes since {at} were not sent, since there were no credits',
    advice: 'Top up: that delivers them.',
  },
  change_ahead: {
    what: 'A change or message for all cards has not reached this one yet',
    advice: 'Wait a little.',
  },
  wallet_refuses: {
    what: '{wallet} has refused everything since {at}; nothing is lost',
    advice: 'Look at the wallets in the settings, or ask the operator of the service.',
  },
  push_service_unreached: {
    what: 'Apple cannot be reached at the moment: changes wait',
    advice: 'Wait a little. If it stays so, ask the operator of the service.',
  },
  device: { what: 'A phone has had the card since {at}' },
  other_certificate: {
    what: 'A phone has the card under an old certificate, and hears of no change',
    advice: 'The holder adds the card again through its link.',
  },
  device_asks: {
    what: 'A phone has the card in another wallet than Apple’s: it looks for changes by itself',
  },
  change_held_back: {
    what: 'The phone hears of a change for all cards when it has reached them all',
    advice: 'Wait a little.',
  },
  push_paced: {
    what: 'The phone has heard of many changes: of the next one on {at}',
    advice: 'Wait a little: phones punish more than about one a minute.',
  },
  push_retried: {
    what: '{wallet} has not taken the change yet; the next attempt is on {at}',
    advice: 'It is tried for a week, by itself.',
  },
  push_in_hand: { what: '{wallet} is being notified', advice: 'Wait a moment.' },
  push_due: {
    what: '{wallet} is to be notified since {at}',
    advice: 'That takes a second. If it stays so, ask the operator of the service.',
  },
  push_failed: {
    what: '{wallet} could not be notified on {at}',
    advice: 'Send the card to the wallet again.',
  },
  push_taken: { what: '{wallet} was notified on {at}' },
  newest_fetched: { what: 'The phone has the newest state, of {at}' },
  newest_not_pushed: {
    what: 'The phone does not have the newest state, of {at}, and was not notified',
    advice: 'Send the card to the wallet again.',
  },
  newest_not_fetched: {
    what: 'The phone was notified on {at}, and has not come for the newest state',
    advice:
      'It is off, without a network or in Low Power Mode, or has automatic updates off for this card. Pulling down on the back of the card fetches it at once.',
  },
  changes_silent: {
    what: 'Changes appear without a sound: no field has a message for the lock screen',
    advice: 'Give the fields that matter one in the design, such as: You have %@ points',
  },
  changes_announced: { what: 'The lock screen announces changes of some fields' },
  value_not_announced: {
    what: 'The message of a field does not show its value',
    advice: 'Put %@ where the value belongs, in the design.',
  },
  google_not_asked: { what: 'The card was not added to Google Wallet yet' },
  google_not_set_up: {
    what: 'The card is in Google Wallet, and the account there is gone',
    advice: 'Look at the wallets in the settings, or ask the operator of the service.',
  },
  google_not_made: {
    what: 'Google could not make the card',
    advice: 'The holder presses the button again.',
  },
  google_not_kept: {
    what: 'Google made the card, and the holder has not kept it',
    advice: 'The holder opens the link again and presses "Save".',
  },
  google_silent: { what: 'Google Wallet changes cards of this type without a sound' },
  google_limit: {
    what: 'Google announces three changes in 24 hours, and they are used up',
    advice: 'The next change after {at} is announced.',
  },
  browsers: { what: 'Browsers have the web card' },
  browsers_silent: {
    what: 'The web card changes while it is open, and says nothing while it is closed',
    advice: 'The holder installs it, and allows its notifications.',
  },
};

export const en = {
  open: 'Why does the phone not show it?',
  title: 'On its way to the phone',
  allGood: 'Everything is in order: the phone shows the newest state.',
  problems: (count: number) => (count === 1 ? 'One thing to look at' : `${count} things to look at`),
  inOrder: 'What is in order',
  toMend: 'To check',
  levels: { ok: 'In order', warning: 'May pass', error: 'To do' },
  again: 'Look again',
  wallets: { apple: 'Apple Wallet', google: 'Google Wallet', web: 'The web card' },
  findings,
};
