import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** 32 MiB and about a tenth of a second each: what OWASP's Password Storage Cheat Sheet asks for at that size. */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
const maxmem = 64 * 1_048_576;
const [saltBytes, keyBytes] = [16, 32];

/**
 * What is stored of a password: `scrypt$N$r$p$salt$key`. Those of one account may share the salt of what is stored already,
 * so that one derivation checks all of them. Takes a thread and its memory: call it in a bulkhead.
 */
export async function hashPassword(password: string, sameAs: string | null = null): Promise<string> {
  const head = headOf(sameAs) ?? newHead();
  return `${head}$${(await keyOf(password, head)).toString('base64url')}`;
}

/**
 * Which of these is the password, or -1. One key is derived whatever is stored, also where nothing is; of those with
 * another salt than the first none is the password. Takes a thread and its memory: call it in a bulkhead.
 */
export async function whichPassword(stored: readonly (string | null)[], password: string): Promise<number> {
  const head = headOf(stored[0] ?? null) ?? newHead();
  const found = await keyOf(password, head);
  return stored.findIndex((one) => {
    const sought = Buffer.alloc(keyBytes);
    Buffer.from(one?.split('$').at(-1) ?? '', 'base64url').copy(sought);
    return timingSafeEqual(found, sought) && headOf(one) === head;
  });
}

/** What comes before the key: how it is derived. */
function headOf(stored: string | null): string | null {
  return stored === null ? null : stored.slice(0, stored.lastIndexOf('$'));
}

function newHead(): string {
  return ['scrypt', cost.N, cost.r, cost.p, randomBytes(saltBytes).toString('base64url')].join('$');
}

/** Letters may be typed in several ways that look alike: they count as one. */
function keyOf(password: string, head: string): Promise<Buffer> {
  const [, N, r, p, salt = ''] = head.split('$');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem };
  return derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), keyBytes, options);
}
