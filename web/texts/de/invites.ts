import type { en } from '../en/invites.ts';

export const de: typeof en = {
  create: 'Jemanden einladen',
  createText:
    'Die Person bekommt eine E-Mail mit einem Knopf, der ihre Karte ausstellt. An eine Adresse geht je Karte eine einzige.',
  email: 'E-Mail-Adresse',
  name: 'Name',
  nameHint: 'Für die Anrede, und für die Karte',
  identifier: 'Kundennummer',
  identifierHint: 'Ihre eigene; an der Kasse findet sich die Karte darüber',
  locale: 'Sprache der E-Mail',
  localeHint: 'Etwa de oder en-GB; leer für die des Arbeitsbereichs',
  consent: 'Die Person ist damit einverstanden, angeschrieben zu werden',
  send: 'Einladung senden',
  answers: {
    queued: 'Die Einladung ist unterwegs.',
    suppressed: 'Nichts wurde gesendet: diese Adresse will keine E-Mails von Ihnen.',
    already_holder: 'Nichts wurde gesendet: diese Person hat schon eine Karte.',
    known: 'Nichts wurde gesendet: diese Adresse wurde schon eingeladen.',
  },
  notPublished:
    'Veröffentlichen Sie diese Karte zuerst: Eine Einladung stellt sie aus, und das geht erst dann.',
  invitations: 'Einladungen',
  filter: 'Einladungen, die so sind',
  status: 'Zustand',
  statuses: {
    queued: 'Wartet',
    sending: 'Wird gesendet',
    sent: 'Gesendet',
    unknown: 'Vielleicht gesendet',
    failed: 'Nicht gesendet',
    suppressed: 'Will keine E-Mails',
    already_holder: 'Hat eine Karte',
    cancelled: 'Abgebrochen',
  },
  all: 'Alle',
  accepted: 'Karte geholt',
  unknownText:
    'Der Mailserver hat nicht gesagt, ob er die E-Mail angenommen hat. Sie wird nicht noch einmal gesendet.',
  problem: (problem) => `Der Mailserver sagt: ${problem}`,
  forgotten: 'Vergessen',
  by: 'Eingeladen',
  bySweep: 'Mit den Kunden eines Shops',
  byHand: 'Einzeln',
  sentAt: 'Gesendet',
  acceptedAt: 'Karte geholt',
  empty: {
    title: 'Noch ist niemand eingeladen',
    text: 'Laden Sie eine Person ein, oder die Kunden eines Shops.',
  },
  emptyFilter: 'So eine Einladung gibt es nicht',
  cards: {
    title: 'Karten verschicken',
    lead: 'Wer eine E-Mail-Adresse hat und wessen Karte noch nie in einer Wallet war, bekommt eine E-Mail mit einer Schaltfläche, die zur Karte führt.',
    count: 'Personen zählen',
    counting: 'Wird gezählt …',
    ready: (count, shown) =>
      count === 1 ? '1 Person kann angeschrieben werden.' : `${shown} Personen können angeschrieben werden.`,
    noOne: 'Niemand ist anzuschreiben.',
    left: {
      noAddress: (count) => `Ohne E-Mail-Adresse: ${count}`,
      sentBefore: (count) => `Schon angeschrieben: ${count}`,
      suppressed: (count) => `Möchten keine E-Mails: ${count}`,
      duplicate: (count) => `Teilen sich die Adresse mit einer anderen Karte: ${count}`,
    },
    send: (count, shown) =>
      count === 1 ? '1 Person ihre Karte schicken' : `${shown} Personen ihre Karte schicken`,
    done: (shown) => `E-Mails unterwegs: ${shown}. Die Liste unten zeigt, wie es jeder ergeht.`,
    noMail:
      'Dieser Dienst hat keinen Mailserver: E-Mails kommen nirgends an. Speichern Sie stattdessen die Links, oder fragen Sie den Betreiber.',
    csv: 'Links als CSV speichern',
    csvColumns: ['Name', 'E-Mail', 'Telefon', 'Kundennummer', 'Link'],
    csvTitle: 'karten-links',
    fromImport: 'Karten verschicken',
  },
  sweep: {
    title: 'Kunden eines Shops',
    lead: 'Lädt alle ein, die dort einkaufen und mit E-Mails einverstanden sind. Sie sehen die Zahlen, bevor eine E-Mail hinausgeht.',
    noStore: 'Es ist kein Shop verbunden, dessen Kunden sich lesen lassen.',
    connect: 'Shop verbinden',
    store: 'Shop',
    limit: 'Höchstens einladen',
    limitHint: 'Leer für alle',
    count: 'Erst zählen',
    countHint: 'Beim Zählen wird die Kundenliste gelesen und niemand angeschrieben.',
    countAgain: 'Noch einmal zählen',
    counting: (found) => `Wird gezählt: bisher ${found} Kunden`,
    reading: (found) => `Die Kunden werden gelesen: bisher ${found}`,
    mailing: (sent, of) => `${sent} von ${of} E-Mails gesendet`,
    counted: (count, shown) =>
      count === 0
        ? 'Niemand würde eingeladen.'
        : count === 1
          ? '1 Kunde würde eingeladen.'
          : `${shown} Kunden würden eingeladen.`,
    ended: (count, shown) =>
      count === 0
        ? 'Niemand wurde eingeladen.'
        : count === 1
          ? '1 Kunde wurde eingeladen.'
          : `${shown} Kunden wurden eingeladen.`,
    of: (found, store, when) => `${found} Kunden von ${store}, ${when}`,
    invite: (count, shown) => (count === 1 ? '1 Kunden einladen' : `${shown} Kunden einladen`),
    inviteOf: (count, shown) => (count === 1 ? '1 Kunden einladen?' : `${shown} Kunden einladen?`),
    inviteText: (store) =>
      `Alle bekommen eine E-Mail von Ihnen mit einem Knopf, der die Karte ausstellt. Die Liste von ${store} wird dabei noch einmal gelesen, die Zahl kann sich also etwas ändern.`,
    cost: 'E-Mails und Karten kosten kein Guthaben. Karten in einer Wallet kosten eines für jede Änderung, die dorthin gesendet wird.',
    cancel: 'Anhalten',
    cancelOf: 'Nicht weiter einladen?',
    cancelText:
      'Niemand sonst wird eingeladen, und wartende E-Mails werden nicht gesendet. Was hinaus ist, lässt sich nicht zurückholen.',
    cancelled: 'Angehalten.',
    failed: 'Es hat zu früh geendet',
    wasCancelled: 'Es wurde angehalten',
    waitsFor: 'Wartet, bis es weitergeht',
    alreadyRunning: 'Jemand hat schon damit begonnen: hier ist es.',
    outcomes: {
      invited: 'Eingeladen',
      alreadyHolder: 'Haben eine Karte',
      alreadyInvited: 'Schon früher eingeladen',
      noConsent: 'Nicht mit E-Mails einverstanden',
      consentUnknown: 'Niemand weiß, ob einverstanden',
      noContact: 'Ohne E-Mail-Adresse',
      invalidContact: 'Mit einer Adresse, die keine E-Mail erreicht',
      suppressed: 'Wollen keine E-Mails',
      duplicateContact: 'Doppelt in der Liste',
    },
    toInvite: 'Würden eingeladen',
    sent: 'Gesendete E-Mails',
    sendFailed: 'Nicht gesendete E-Mails',
    reasons: {
      store_not_connected: 'Der Shop ist nicht verbunden.',
      store_unauthorized:
        'Der Shop lässt uns nicht hinein: sein Schlüssel wurde geändert oder darf keine Kunden lesen.',
      store_throttled: 'Der Shop bittet darum, langsamer zu fragen.',
      store_unavailable: 'Der Shop antwortet nicht.',
      store_answer_unreadable: 'Die Antwort des Shops lässt sich nicht lesen.',
      customers_not_readable: 'Shops dieser Plattform haben keine Kundenliste, die sich lesen lässt.',
      pass_not_active: 'Die Karte ist nicht mehr veröffentlicht.',
      internal_error: 'Beim Dienst ist etwas schiefgegangen.',
    },
    results: 'Kunde für Kunde',
    showResults: 'Zeigen, was aus jedem Kunden wurde',
    customer: 'Kunde des Shops',
    outcome: 'Ergebnis',
    outcomeNames: {
      invited: 'Eingeladen',
      already_holder: 'Hat eine Karte',
      already_invited: 'Schon früher eingeladen',
      no_consent: 'Nicht mit E-Mails einverstanden',
      consent_unknown: 'Niemand weiß, ob einverstanden',
      no_contact: 'Hat keine E-Mail-Adresse',
      invalid_contact: 'Hat eine Adresse, die keine E-Mail erreicht',
      suppressed: 'Will keine E-Mails',
      duplicate_contact: 'Steht doppelt in der Liste',
    },
    mail: 'E-Mail',
    file: 'Als CSV herunterladen',
    noResults: 'Die Liste war leer.',
  },
};
