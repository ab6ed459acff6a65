/** Texts of the search that is on every page. */
export const en = {
  open: 'Search',
  title: 'Search',
  label: 'Customer, card or order',
  hint: 'The beginning of a first or last name, an e-mail address, the last digits of a phone number, a customer number, a code, or the number of an order.',
  results: 'Found',
  voided: 'void',
  count: (count: number) =>
    count === 0
      ? 'Nothing found. Try fewer letters, or only the last name.'
      : count === 1
        ? '1 result'
        : `${count} results`,
};
