import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { printable } from '../../src/kit/text/printable.ts';
import { validatePkpass } from './validate-pkpass.ts';

/** Prints what the strict rules say about each file; exit code 1 when one has an error. */
export function validateFiles(files: readonly string[], options: { root?: string }): void {
  const root = options.root === undefined ? null : new X509Certificate(readFileSync(options.root));
  for (const file of files) {
    const findings = validatePkpass(readFileSync(file), { root, now: new Date() });
    const errors = findings.filter((finding) => finding.level === 'error').length;
    console.log(`${file}: ${verdict(errors, findings.length - errors)}`);
    for (const { level, rule, message, where } of findings) {
      const place = where === undefined ? '' : ` (${where})`;
      console.log(printable(`  ${level}  ${rule}${place}: ${message}`));
    }
    if (errors > 0) process.exitCode = 1;
  }
}

function verdict(errors: number, warnings: number): string {
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  if (errors > 0) return counted(errors, 'error');
  return warnings > 0 ? `valid, ${counted(warnings, 'warning')}` : 'valid';
}
