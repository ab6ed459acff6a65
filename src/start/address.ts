import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Config, isAddressSet, readConfig } from '../config.ts';
import { firstRunFile } from './first-run.ts';

const recordFile = (dataDir: string) => join(dataDir, 'address.json');

/** Leaves the address of the service for commands, which are often called without its settings. A folder that takes no files is no reason not to start. */
export async function recordAddress({ dataDir, publicUrl }: Config, log: Logger): Promise<void> {
  const path = recordFile(dataDir);
  // Several processes may start at once.
  const draft = `${path}.${process.pid}.new`;
  try {
    await writeFile(draft, `${JSON.stringify({ url: publicUrl })}\n`, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    log.warn({ err: error }, 'commands will not know the address of the service: DATA_DIR takes no files');
  }
}

/** The configuration of a command: where neither PORT nor PUBLIC_URL is set, with the address that the service had at its last start. */
export function commandConfig(): Config {
  const config = readConfig();
  if (isAddressSet()) return config;
  const { dataDir } = config;
  const publicUrl = recorded(recordFile(dataDir)) ?? recorded(firstRunFile(dataDir)) ?? config.publicUrl;
  return { ...config, publicUrl };
}

function recorded(file: string): string | null {
  try {
    const { url } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof url === 'string' ? url : null;
  } catch {
    return null;
  }
}
