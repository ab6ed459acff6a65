import { readFileSync } from 'node:fs';
import { parseServiceAccount, type ServiceAccount, ServiceAccountProblem } from './service-account.ts';

/**
 * The service account of GOOGLE_SERVICE_ACCOUNT: the JSON of its key file, or a path to it. Raises
 * `ServiceAccountProblem`, whose message names the setting, says what to do, and never quotes the key.
 */
export function loadServiceAccount(setting: string): ServiceAccount {
  try {
    return parseServiceAccount(setting.trimStart().startsWith('{') ? setting : readKeyFile(setting));
  } catch (error) {
    if (!(error instanceof ServiceAccountProblem)) throw error;
    throw new ServiceAccountProblem(`GOOGLE_SERVICE_ACCOUNT: ${error.message}`);
  }
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ServiceAccountProblem(
      `the file "${path.slice(0, 200)}" cannot be read (${code}). Give the path of the JSON key file, or its text.`,
    );
  }
}
