import type { Problem } from '../../sdk/typescript/src/types.ts';
import { sentenceFor } from './api-error.ts';

/** An entry that the form itself refuses, and why, in the language of the page. */
export interface EntryFault {
  readonly name: string;
  readonly sentence: string;
}

type Entry = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * The first entry that breaks a rule of its field; null where none does. Of an entry that has no place for a sentence the browser says it,
 * and so it is `'shown'`.
 */
export function faultIn(form: HTMLFormElement): EntryFault | 'shown' | null {
  const wrong = [...form.elements].find((one): one is Entry => isEntry(one) && !one.validity.valid);
  if (wrong === undefined) return null;
  const sentence = sentenceFor({ path: wrong.name, message: '', ...ruleOf(wrong) }, true);
  if (sentence !== undefined && wrong.name !== '' && !isChoice(wrong)) return { name: wrong.name, sentence };
  wrong.reportValidity();
  return 'shown';
}

function isEntry(element: Element): element is Entry {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

function isChoice({ type }: Entry): boolean {
  return type === 'checkbox' || type === 'radio' || type === 'file';
}

/** The rule as the API names it. */
function ruleOf(entry: Entry): Pick<Problem, 'rule' | 'limit'> {
  const { validity } = entry;
  const limit = (name: string) => Number(entry.getAttribute(name));
  if (validity.valueMissing) return { rule: 'required' };
  if (validity.typeMismatch) return { rule: 'format', limit: entry.type };
  if (validity.rangeUnderflow) return { rule: 'min_value', limit: limit('min') };
  if (validity.rangeOverflow) return { rule: 'max_value', limit: limit('max') };
  if (validity.tooShort) return { rule: 'min_length', limit: limit('minlength') };
  if (validity.tooLong) return { rule: 'max_length', limit: limit('maxlength') };
  if (validity.stepMismatch && entry.getAttribute('step') === null) return { rule: 'max_decimals', limit: 0 };
  return validity.badInput && entry.type === 'number'
    ? { rule: 'format', limit: 'number' }
    : { rule: 'pattern' };
}
