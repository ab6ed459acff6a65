import type { en } from '../en/calls.ts';

export const de: typeof en = {
  title: 'Als curl',
  lead: 'Worum dieser Tab die API gebeten hat, das Neueste zuerst; es bleibt nur hier und ist mit dem Tab weg.',
  standsFor: 'steht für einen Ihrer API-Schlüssel, … für ein Geheimnis.',
  form: 'Geschrieben als',
  forms: { curl: 'curl', typescript: 'TypeScript' },
  changes: 'Änderungen',
  reads: 'Abfragen',
  none: 'Noch wurde nichts aufgerufen',
  noAnswer: 'keine Antwort',
  trace: 'Was aus diesem Aufruf wurde',
};
