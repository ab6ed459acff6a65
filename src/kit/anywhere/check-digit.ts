/** The digit that completes a number of EAN, UPC or ITF-14: from the right, every other digit counts three times. */
export function checkDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/** Whether a text is so many digits, of which the last is the right check digit. */
export function isTradeNumber(text: string, length: number): boolean {
  return text.length === length && /^\d+$/.test(text) && text.endsWith(checkDigit(text.slice(0, -1)));
}
