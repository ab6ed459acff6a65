/** Texts about files that hold a table. */
export const en = {
  foreign: {
    workbook:
      'This is a workbook or an archive, no CSV. Open it in Excel, choose File → Save As, and as type “CSV UTF-8 (Comma delimited) (*.csv)”. Then choose the new file here.',
    binary: 'This is no table of text, or it is damaged. Save the table as “CSV UTF-8”.',
    pdf: 'This is a PDF, no CSV. Save the table that it was made of as “CSV UTF-8”.',
    image: 'This is an image, no CSV. Save the table as “CSV UTF-8”.',
    html: 'This is a web page or XML, no CSV. Open it in a spreadsheet and save it as “CSV UTF-8”.',
    json: 'This is JSON, no CSV. Export it as CSV.',
    document: 'This is a text document, no CSV. Save the table as “CSV UTF-8”.',
  },
  quotes: (line: string) =>
    `In line ${line} a quote is opened and not closed. Close it, or double it within a cell.`,
  apart: (delimiter: string) => `Cells of this file are separated by ${delimiter}.`,
  delimiters: { '\t': 'tabs', ';': 'semicolons', ',': 'commas', '|': 'bars' },
  losesZeros:
    'Some codes are shorter than most: a spreadsheet may have dropped the zeros at their beginning.',
};
