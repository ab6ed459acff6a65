import type { en } from '../en/find.ts';

export const de: typeof en = {
  open: 'Suchen',
  title: 'Suchen',
  label: 'Kunde, Karte oder Bestellung',
  hint: 'Der Anfang des Vor- oder Nachnamens, eine E-Mail-Adresse, die letzten Ziffern einer Telefonnummer, eine Kundennummer, ein Code oder die Nummer einer Bestellung.',
  results: 'Gefunden',
  voided: 'ungültig',
  count: (count: number) =>
    count === 0
      ? 'Nichts gefunden. Versuchen Sie es mit weniger Buchstaben oder nur mit dem Nachnamen.'
      : count === 1
        ? '1 Treffer'
        : `${count} Treffer`,
};
