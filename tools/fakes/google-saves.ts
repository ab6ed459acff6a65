import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { ThrowAwayAccount } from './google-account.ts';
import type { Resources } from './google-resources.ts';
import { type GoogleWord, googleWords, isObject } from './google-validator.ts';

/** A save link that Google's page refuses; the message says why, where Google says "Something went wrong". */
export class SaveRefused extends Error {
  override readonly name = 'SaveRefused';
}

/**
 * Checks a save link's token as Google does when its holder opens the page, and gives the objects that it saves. Only
 * skinny tokens are known here: what they name must have been inserted.
 */
export async function checkSaveToken(
  token: string,
  account: ThrowAwayAccount,
  resources: Resources,
): Promise<{ readonly classId: string; readonly objectId: string }[]> {
  await checkSignature(token, account);
  const { typ, payload, origins, iat } = decodeJwt(token);
  if (typ !== 'savetowallet') throw new SaveRefused(`typ is ${typ}, not savetowallet`);
  if (typeof iat !== 'number') throw new SaveRefused('iat is missing');
  if (!Array.isArray(origins)) throw new SaveRefused('origins is no list');
  if (!isObject(payload)) throw new SaveRefused('payload is no object');
  const saved = Object.entries(payload).flatMap(([name, items]) => {
    const word = googleWords.find((each) => name === `${each}Objects`);
    if (word === undefined || !Array.isArray(items)) throw new SaveRefused(`${name} is unknown`);
    return items.map((item: unknown) => checkItem(word, item, resources));
  });
  if (saved.length === 0) throw new SaveRefused('the payload names no object');
  return saved;
}

async function checkSignature(token: string, { publicKey, clientEmail }: ThrowAwayAccount): Promise<void> {
  if (token.length > 1_800)
    throw new SaveRefused(`the token has ${token.length} characters: browsers cut it`);
  try {
    await jwtVerify(token, publicKey, {
      algorithms: ['RS256'],
      issuer: clientEmail,
      audience: 'google',
    });
    if (decodeProtectedHeader(token).typ !== 'JWT') throw new Error('its header has no typ');
  } catch (error) {
    throw new SaveRefused(`the token does not verify: ${error instanceof Error ? error.message : error}`);
  }
}

function checkItem(word: GoogleWord, item: unknown, resources: Resources) {
  if (!isObject(item)) throw new SaveRefused('an object is no object');
  const { id, classId } = item;
  const object = resources.find({ word, kind: 'Object' }, String(id));
  if (object === undefined) throw new SaveRefused(`${word}Object ${id} does not exist`);
  if (object.classId !== classId) throw new SaveRefused(`${id} is no object of the class ${classId}`);
  return { classId: String(classId), objectId: String(id) };
}
