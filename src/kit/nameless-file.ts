import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Opens a temporary file without a name, so that it disappears with the process. Close it. */
export async function namelessFile(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `.spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

/** All that was written to a file. */
export async function readWhole(file: FileHandle): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow((await file.stat()).size);
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, at);
    if (bytesRead === 0) throw new Error('a temporary file has been cut short');
    at += bytesRead;
  }
  return bytes;
}
