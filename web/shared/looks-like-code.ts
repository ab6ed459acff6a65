/** Whether what is in the field of a number is rather a barcode: the shortest that are printed on goods have eight digits in a row. */
export function looksLikeCode(text: string): boolean {
  return /\p{Nd}{8}|\p{L}/u.test(text);
}
