import type { en } from '../en/home.ts';

export const de: typeof en = {
  title: 'Übersicht',
  lead: (name: string) => `${name} in den letzten 30 Tagen.`,
  pass: {
    label: 'Pass',
    all: 'Alle Pässe',
    hint: 'Wählen Sie einen, um nur seine Zahlen zu sehen. Jede Zahl öffnet die Liste dahinter.',
  },
  figures: {
    issued: 'Ausgegebene Karten',
    installed: 'In eine Wallet geladen',
    pointsIn: 'Vergebene Punkte',
    pointsOut: 'Verbrauchte Punkte',
    rewards: 'Eingelöste Prämien',
    outstanding: 'Offene Punkte',
  },
  charts: {
    issued: 'Ausgegebene Karten je Tag',
    installed: 'In eine Wallet geladen je Tag',
    awards: 'Gutschriften je Tag',
    rewards: 'Eingelöste Prämien je Tag',
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
  look: 'Ansehen',
  first: {
    title: 'Erste Schritte',
    lead: 'Vier Schritte bis zur ersten Karte in einer Wallet.',
    done: 'erledigt',
    pass: 'Einen Pass gestalten',
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
  },
};
