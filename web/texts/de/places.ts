import type { en } from '../en/places.ts';

export const de: typeof en = {
  more: (count) =>
    `Und ${count === 1 ? 'ein weiterer' : `${count} weitere`}. Jede Karte hat die zehn, die dem Partner am nächsten sind, bei dem sie ausgegeben wurde, sonst die ersten zehn.`,
  addList: 'Aus einer Liste hinzufügen',
  list: 'Ein Ort je Zeile',
  listHint:
    'Breitengrad, Längengrad und Text auf dem Sperrbildschirm, getrennt durch Komma, Semikolon oder Tabulator: 52.5200, 13.4050, Ein Kaffee ist nah.',
  submit: 'Orte hinzufügen',
  removeAll: 'Alle entfernen',
  wrongLine: (line) => `Zeile ${line} ist kein Breiten- und Längengrad, etwa 52.5200, 13.4050, Mein Laden.`,
  longLine: (line) => `Der Text in Zeile ${line} ist länger als 200 Zeichen.`,
  tooMany: (count, room) =>
    room === 0
      ? 'Die Karte hat schon 1.000 Orte. Entfernen Sie zuerst welche.'
      : `Das sind ${count} Orte, und die Karte hat Platz für ${room}.`,
  wrongPoint: 'Geben Sie Breiten- und Längengrad ein, etwa 52.5200, 13.4050.',
};
