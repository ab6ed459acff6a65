import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createGate } from '../limits/bulkhead.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** 32 MiB and about a tenth of a second each: what OWASP's Password Storage Cheat Sheet asks for at that size. */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
const maxmem = 64 * 1_048_576;
const [saltBytes, keyBytes] = [16, 32];

/** Each takes a thread and its memory: the others wait, so that a flood takes no more. */
const inTurn = createGate(2);

/** What is stored of a password: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await keyOf(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether this is the password. Where none is stored the same work is done, and it is not. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const [, N = cost.N, r = cost.r, p = cost.p, salt = '', key = ''] = stored?.split('$') ?? [];
  const sought = Buffer.alloc(keyBytes);
  Buffer.from(key, 'base64url').copy(sought);
  const found = await keyOf(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(found, sought) && stored !== null;
}

/** Letters may be typed in several ways that look alike: they count as one. */
function keyOf(
  password: string,
  salt: Buffer,
  options: Pick<ScryptOptions, 'N' | 'r' | 'p'>,
): Promise<Buffer> {
  return inTurn(() => derive(password.normalize('NFKC'), salt, keyBytes, { ...options, maxmem }));
}
