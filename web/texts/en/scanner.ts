/** Texts of the scanner: what staff see at a till. */
export const en = {
  title: 'Scanner',
};
