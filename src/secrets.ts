import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';

/** What the installation itself must keep secret. */
export interface Secrets {
  readonly operatorToken: string;
  /** 32 bytes that seal secrets in the database. */
  readonly encryptionKey: Buffer;
}

/**
 * The secrets of the configuration; those that it leaves out are generated once into `DATA_DIR/secrets.json`,
 * mode 0600. Several processes may start at once and end with the same ones.
 */
export async function loadSecrets(config: Config): Promise<Secrets> {
  if (config.operatorToken !== null && config.encryptionKey !== null) {
    return { operatorToken: config.operatorToken, encryptionKey: config.encryptionKey };
  }
  const stored = await storedSecrets(config.dataDir);
  return {
    operatorToken: config.operatorToken ?? stored.operatorToken,
    encryptionKey: config.encryptionKey ?? Buffer.from(stored.encryptionKey, 'hex'),
  };
}

async function storedSecrets(dataDir: string): Promise<{ operatorToken: string; encryptionKey: string }> {
  const path = join(dataDir, 'secrets.json');
  const known = await read(path);
  if (known !== null) return known;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const fresh = {
    operatorToken: `op_${randomBytes(24).toString('base64url')}`,
    encryptionKey: randomBytes(32).toString('hex'),
  };
  try {
    await writeFile(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flush: true });
    // A link fails where the file exists already: of several processes one wins, whole.
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return (await read(path)) ?? fresh;
}

async function read(path: string): Promise<{ operatorToken: string; encryptionKey: string } | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { operatorToken, encryptionKey } = JSON.parse(text);
    if (typeof operatorToken === 'string' && /^[0-9a-f]{64}$/.test(encryptionKey))
      return { operatorToken, encryptionKey };
  } catch {}
  throw new ConfigError(
    `${path} is damaged. Restore it from a backup, or set OPERATOR_TOKEN and ENCRYPTION_KEY.`,
  );
}
