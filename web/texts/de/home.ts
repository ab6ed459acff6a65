import type { en } from '../en/home.ts';

export const de: typeof en = {
  title: 'Übersicht',
  lead: (name: string, days: number) =>
    days === 1 ? `${name} heute.` : `${name} in den letzten ${days} Tagen.`,
  period: 'Tage, die gezählt werden',
  periods: (days: number) => (days === 1 ? 'Heute' : `${days} Tage`),
  now: (days: number) => `Diese ${days} Tage`,
  before: (days: number) => `Die ${days} Tage davor`,
  former: (value: string, days: number) => (days === 1 ? `gestern ${value}` : `davor ${value}`),
  more: 'mehr: ',
  less: 'weniger: ',
  pass: {
    label: 'Karte',
    all: 'Alle Karten',
  },
  figures: {
    visits: 'Besuche',
    came: 'Kunden, die da waren',
    returning: (count: string, share: string) => `${count} waren schon früher da (${share})`,
    issued: 'Ausgegebene Karten',
    installed: 'In eine Wallet geladen',
    rewards: 'Eingelöste Prämien',
    waiting: 'Wartende Prämien',
    waitingNote: 'Karten mit einer offenen Prämie',
    points: { given: 'Vergebene Punkte', used: 'Verbrauchte Punkte', outstanding: 'Offene Punkte' },
    stamps: { given: 'Vergebene Stempel', used: 'Verbrauchte Stempel', outstanding: 'Offene Stempel' },
    away: 'Lange nicht da',
    awayNote: 'letzter Besuch vor 60 Tagen oder mehr',
  },
  charts: {
    activeHolders: 'Besuche je Tag',
    issued: 'Ausgegebene Karten je Tag',
  },
  latest: {
    title: 'Zuletzt',
    none: 'Noch nichts.',
    ago: (ms: number) => {
      const minutes = Math.floor(ms / 60_000);
      if (minutes < 1) return 'gerade eben';
      if (minutes < 60) return `vor ${minutes} Min.`;
      return minutes < 24 * 60 ? `vor ${Math.floor(minutes / 60)} Std.` : null;
    },
  },
  ready: {
    title: 'Bevor Kunden kommen',
    met: 'in Ordnung',
    missing: 'fehlt',
    mend: 'Einrichten',
    ask: 'Fragen Sie die Person, die diesen Dienst betreibt.',
    askOwner: 'Fragen Sie einen Inhaber des Workspace.',
    apple: {
      name: 'Apple Wallet',
      problems: {
        development: 'iPhones nehmen die Karten nicht an: Sie sind mit einem Testzertifikat signiert.',
        expired: 'iPhones nehmen neue Karten nicht an: Das Zertifikat ist abgelaufen.',
      },
    },
    google: {
      name: 'Google Wallet',
      problem: 'Es gibt noch kein Konto: Dort kann niemand eine Karte hinzufügen.',
    },
    address: {
      name: 'Sichere Adresse (https)',
      problem: 'Telefone fragen nicht nach Änderungen: Die Adresse des Dienstes ist nicht https.',
    },
    mail: {
      name: 'E-Mail',
      problem: 'Der Dienst verschickt keine E-Mails: Einladungen und Bestätigungen kommen nirgends an.',
    },
    short: {
      apple: 'iPhones nehmen die Karten im Moment nicht an.',
      mail: 'Der Dienst verschickt im Moment keine E-Mails.',
    },
    look: 'Was fehlt',
  },
  notWhole: 'Noch ist nicht alles gezählt, was geschehen ist. Die Zahlen holen von selbst auf.',
  attention: 'Was Aufmerksamkeit braucht',
  nothing: 'Im Moment ist nichts zu tun.',
  creditsLow: (left: string) =>
    `Es sind noch ${left} Credits übrig. Ohne Credits erreichen Änderungen die Telefone nicht.`,
  creditsGone: 'Die Credits sind aufgebraucht. Änderungen warten auf dem Server, bis es wieder welche gibt.',
  skipped: 'In den letzten sieben Tagen wurden Pushes ausgelassen, weil Credits fehlten.',
  webhookOff: (url: string) => `Der Webhook ${url} ist abgeschaltet.`,
  webhookFailing: (url: string) => `Der Webhook ${url} hat ein Problem.`,
  poolLow: (title: string) => `„${title}“ gehen die Barcodes aus.`,
  noWayIn: 'Sie kämen nicht noch einmal herein: Legen Sie einen Passkey oder ein Passwort fest.',
  look: 'Ansehen',
  first: {
    title: 'Erste Schritte',
    lead: 'Vier Schritte bis zur ersten Karte in einer Wallet.',
    done: 'erledigt',
    start: 'Ihre erste Karte einrichten',
    templates: 'Oder mit einer Vorlage beginnen',
    pass: 'Eine Karte gestalten',
    passText: 'Wie alle Ihre Karten aussehen und was sie sagen.',
    published: 'Veröffentlichen',
    publishedText: 'Von da an können Karten ausgegeben werden.',
    issued: 'Die erste Karte ausgeben',
    issuedText: 'Zum Beispiel an sich selbst.',
    installed: 'In eine Wallet laden',
    installedText: 'Ihren Link auf einem Telefon öffnen.',
  },
  staff: {
    title: 'Willkommen',
    lead: (name: string) => `Sie sind für ${name} angemeldet.`,
    text: 'Ihre Rolle sucht Karten, schreibt gut und löst ein.',
    scanner: 'Scanner öffnen',
  },
};
