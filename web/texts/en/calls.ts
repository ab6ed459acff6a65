/** The last calls of a tab, as curl. */
export const en = {
  title: 'As curl',
  lead: 'What this tab has asked the API for, the newest first; it is kept here only, and gone with the tab.',
  standsFor: 'is a placeholder for an API key of yours, … for a secret.',
  form: 'Written as',
  forms: { curl: 'curl', typescript: 'TypeScript' },
  changes: 'Changes',
  reads: 'Reads',
  none: 'Nothing was called yet',
  noAnswer: 'no answer',
  trace: 'What came of this request',
};
