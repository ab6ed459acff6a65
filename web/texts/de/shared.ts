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
  asChart: 'Als Diagramm',
  day: 'Tag',
  count: 'Anzahl',
  apply: 'Anwenden',
  showAll: 'Alles anzeigen',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  saveQr: 'QR-Code als PNG sichern',
  copyQr: 'QR-Code kopieren',
  actions: 'Aktionen',
  export: 'Als CSV herunterladen',
  exporting: (count: string) => `Bisher ${count} Zeilen …`,
  stop: 'Abbrechen',
  ago: (ms: number) => {
    const minutes = Math.floor(ms / 60_000);
    if (minutes < 1) return 'gerade eben';
    if (minutes < 60) return `vor ${minutes} Min.`;
    return minutes < 24 * 60 ? `vor ${Math.floor(minutes / 60)} Std.` : null;
  },
};
