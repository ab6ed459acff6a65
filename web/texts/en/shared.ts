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
  asChart: 'As a chart',
  day: 'Day',
  count: 'Count',
  apply: 'Apply',
  showAll: 'Show all',
  copy: 'Copy',
  copied: 'Copied.',
  saveQr: 'Save QR code as PNG',
  copyQr: 'Copy QR code',
  actions: 'Actions',
  export: 'Download as CSV',
  exporting: (count: string) => `${count} lines so far …`,
  stop: 'Stop',
  ago: (ms: number) => {
    const minutes = Math.floor(ms / 60_000);
    if (minutes < 1) return 'just now';
    if (minutes < 60) return `${minutes} min ago`;
    return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h ago` : null;
  },
};
