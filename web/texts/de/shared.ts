import type { en } from '../en/shared.ts';

export const de: typeof en = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  saved: 'Gespeichert.',
  request: 'Anfrage',
  notLoaded: 'Das konnte nicht geladen werden',
  tryAgain: 'Erneut versuchen',
  loading: 'Wird geladen',
  showMore: 'Mehr anzeigen',
  asTable: 'Als Tabelle',
  day: 'Tag',
  count: 'Anzahl',
  apply: 'Anwenden',
  showAll: 'Alles anzeigen',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  actions: 'Aktionen',
  inTotal: (count: string) => `${count} insgesamt`,
};
