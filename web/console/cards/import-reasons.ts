import { formatNumber } from '../../shared/format.ts';
import { importTexts } from '../../texts/import.ts';
import type { CheckedRow } from './import-file.ts';

const longestShown = 40;

/** Why a line is left out, with the text that is wrong. */
export function reasonOf({ problem, cell, twin }: CheckedRow): string {
  const t = importTexts();
  if (problem === null) return '';
  const reason = twin === null ? t.problems[problem] : t.asInLine(t.problems[problem], formatNumber(twin));
  if (cell === null) return reason;
  return t.withCell(reason, cell.length > longestShown ? `${cell.slice(0, longestShown)}…` : cell);
}
