import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { decodeJwt, jwtVerify } from 'jose';
import { throwAwayAccount } from '../../../tools/fakes/google-account.ts';
import type { GoogleCardType } from './card.ts';
import { saveLink } from './save-link.ts';
import { parseServiceAccount } from './service-account.ts';

const account = throwAwayAccount('https://oauth2.googleapis.com/token');
const serviceAccount = parseServiceAccount(account.json);
const issuedAt = new Date('2026-08-01T12:00:00.900Z');
const page = 'https://pay.google.com/gp/v/save/';

const plain = {
  serviceAccount,
  objectId: '3388.card',
  classId: '3388.pass',
  type: 'loyalty',
  issuedAt,
} as const;

describe('saveLink', () => {
  it("is a token of the account's own, that names the card and nothing else", async () => {
    const link = await saveLink(plain);
    assert.ok(link.startsWith(page));
    const { payload, protectedHeader } = await jwtVerify(link.slice(page.length), account.publicKey);
    assert.deepEqual(protectedHeader, { alg: 'RS256', typ: 'JWT' });
    assert.deepEqual(payload, {
      iss: account.clientEmail,
      aud: 'google',
      typ: 'savetowallet',
      iat: 1_785_585_600,
      origins: [],
      payload: { loyaltyObjects: [{ id: '3388.card', classId: '3388.pass' }] },
    });
  });

  it("calls each type by Google's word", async () => {
    const words: Record<GoogleCardType, string> = {
      loyalty: 'loyaltyObjects',
      coupon: 'offerObjects',
      eventTicket: 'eventTicketObjects',
      giftCard: 'giftCardObjects',
      generic: 'genericObjects',
    };
    for (const [type, word] of Object.entries(words) as [GoogleCardType, string][]) {
      const link = await saveLink({ ...plain, type });
      assert.deepEqual(Object.keys(decodeJwt(link.slice(page.length)).payload as object), [word]);
    }
  });

  it('stays within 1,800 characters with the longest account, key and ids', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 4_096 });
    const link = await saveLink({
      ...plain,
      serviceAccount: {
        ...serviceAccount,
        // Google Cloud allows 30 characters for the account and 30 for the project.
        clientEmail: `${'a'.repeat(30)}@${'p'.repeat(30)}.iam.gserviceaccount.com`,
        privateKey,
      },
      type: 'eventTicket',
      objectId: `${'9'.repeat(20)}.${'o'.repeat(120)}`,
      classId: `${'9'.repeat(20)}.${'c'.repeat(120)}`,
    });
    assert.ok(link.length - page.length <= 1_800, String(link.length));
  });

  it('refuses to make a link that browsers cut', async () => {
    const objectId = `3388.${'o'.repeat(1_500)}`;
    await assert.rejects(saveLink({ ...plain, objectId }), /1800 are allowed/);
  });
});
