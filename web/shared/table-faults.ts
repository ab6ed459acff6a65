import { tables } from '../texts/tables.ts';
import { UnreadableFile } from './csv-table.ts';
import { formatNumber } from './format.ts';
import { toast } from './toast.tsx';

/** What is read of a file; null where it is no table, which is said. */
export function orToast<T>(read: () => T): T | null {
  return orSay(read, (sentence) => toast(sentence, { kind: 'alert' }));
}

/** The same, said in another way. */
export function orSay<T>(read: () => T, say: (sentence: string) => void): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const t = tables();
    say(error.kind === 'quotes' ? t.quotes(formatNumber(error.line)) : t.foreign[error.kind]);
    return null;
  }
}

/** What separates the cells of a file. */
export function delimiterSentence(delimiter: string): string {
  const t = tables();
  return t.apart((t.delimiters as Readonly<Record<string, string>>)[delimiter] ?? delimiter);
}
