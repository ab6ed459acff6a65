import type { en } from '../en/tables.ts';

export const de: typeof en = {
  foreign: {
    workbook:
      'Das ist eine Arbeitsmappe oder ein Archiv, kein CSV. Öffnen Sie sie in Excel, wählen Sie Datei → Speichern unter und als Dateityp „CSV UTF-8 (durch Trennzeichen getrennt) (*.csv)“. Wählen Sie dann hier die neue Datei.',
    binary:
      'Das ist keine Tabelle aus Text, oder sie ist beschädigt. Speichern Sie die Tabelle als „CSV UTF-8“.',
    pdf: 'Das ist ein PDF, kein CSV. Speichern Sie die Tabelle, aus der es gemacht ist, als „CSV UTF-8“.',
    image: 'Das ist ein Bild, kein CSV. Speichern Sie die Tabelle als „CSV UTF-8“.',
    html: 'Das ist eine Webseite oder XML, kein CSV. Öffnen Sie es als Tabelle und speichern Sie es als „CSV UTF-8“.',
    json: 'Das ist JSON, kein CSV. Exportieren Sie es als CSV.',
    document: 'Das ist ein Textdokument, kein CSV. Speichern Sie die Tabelle als „CSV UTF-8“.',
  },
  quotes: (line) =>
    `In Zeile ${line} wird ein Anführungszeichen geöffnet und nicht geschlossen. Schließen Sie es, oder verdoppeln Sie es in einer Zelle.`,
  apart: (delimiter) => `Die Zellen dieser Datei sind durch ${delimiter} getrennt.`,
  delimiters: { '\t': 'Tabulatoren', ';': 'Semikolons', ',': 'Kommas', '|': 'senkrechte Striche' },
  losesZeros:
    'Einige Codes sind kürzer als die meisten: eine Tabelle hat vielleicht Nullen am Anfang weggelassen.',
};
