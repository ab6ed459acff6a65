/**
 * A text as one line that may stand in a drawing: in Unicode's NFC form, without what XML refuses, without control
 * characters and marks that turn the direction of what follows, and with no more marks on a letter than languages use.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .toWellFormed()
    .replace(refused, '')
    .replace(blank, ' ')
    .replace(heapedMarks, '$1')
    .trim();
}

/** Noncharacters, and signs that embed, override or isolate a direction: each text has one of its own. */
const refused = /[\p{Noncharacter_Code_Point}\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
const blank = /[\s\p{Cc}]+/gu;
/** They would be drawn over the lines above and below. */
const heapedMarks = /(\p{M}{4})\p{M}+/gu;

/** Whether a text begins in a script that is written from right to left. */
export function readsFromRight(text: string): boolean {
  const [first] = /\p{L}/u.exec(text) ?? [];
  return first !== undefined && fromRight.test(first);
}

const fromRight =
  /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}|\p{Script=Hanifi_Rohingya}/u;
