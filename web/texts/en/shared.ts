/** Texts of the components. */
export const en = {
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Saved.',
  request: 'Request',
  notLoaded: 'This could not be loaded',
  tryAgain: 'Try again',
  loading: 'Loading',
  showMore: 'Show more',
  asTable: 'As a table',
  day: 'Day',
  count: 'Count',
  copy: 'Copy',
  copied: 'Copied.',
  actions: 'Actions',
  inTotal: (count: string) => `${count} in total`,
};
