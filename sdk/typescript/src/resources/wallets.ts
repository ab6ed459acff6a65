import type { CallOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type {
  NewAppleIdentity,
  NewGoogleIdentity,
  NfcKey,
  NfcReaders,
  Obstacles,
  SigningRequest,
  Wallets,
} from '../types.ts';

export class WalletsResource extends Resource {
  /**
   * By what the wallets know you.
   *
   * The certificate that signs your passes and the account that makes your cards at Google: your own, or
   * those of the installation. Never a key.
   */
  get(options?: CallOptions): Promise<Wallets & Result> {
    return this.sender.json<Wallets>({ method: 'GET', path: '/workspace/wallets' }, options);
  }

  /**
   * What is missing before customers come.
   *
   * What keeps phones from taking cards, and mail from leaving: of the workspace and of the installation.
   * Null where nothing is missing.
   */
  obstacles(options?: CallOptions): Promise<Obstacles & Result> {
    return this.sender.json<Obstacles>({ method: 'GET', path: '/workspace/obstacles' }, options);
  }

  /**
   * Ask for a certificate of your own.
   *
   * Give the `csr` to Apple (Certificates, Identifiers & Profiles, "Pass Type ID Certificate"), and what
   * Apple gives you to `PUT /workspace/wallets/apple`. Its key is kept here, sealed; of several requests
   * the newest five can be used.
   *
   * Refused with `recent_sign_in_required`.
   */
  createSigningRequest(options?: CallOptions): Promise<SigningRequest & Result> {
    return this.sender.json<SigningRequest>(
      { method: 'POST', path: '/workspace/wallets/apple/signing-request', key: 'header' },
      options,
    );
  }

  /**
   * Sign Apple passes with a certificate of your own.
   *
   * Either `certificate`, as Apple issued it for a signing request (PEM, or the .cer file in base64),
   * with `intermediate` where it is not known here; or `p12` and its `passphrase`. Checked at once: pass
   * type, team, chain, end and key. Within a second new passes are signed with it. One for the same pass
   * type renews that of all cards; cards in wallets under another pass type keep the certificate that
   * signed them, as long as a device holds one.
   *
   * Refused with `recent_sign_in_required`.
   */
  setApple(body?: NewAppleIdentity, options?: CallOptions): Promise<Wallets & Result> {
    return this.sender.json<Wallets>(
      { method: 'PUT', path: '/workspace/wallets/apple', body, key: 'header' },
      options,
    );
  }

  /**
   * Have the installation sign Apple passes again.
   *
   * New passes are signed with its certificate. Yours stays, sealed, as long as a device holds a card
   * that it signed, so that these go on being updated; then it is forgotten.
   *
   * Refused with `recent_sign_in_required`.
   */
  removeApple(options?: CallOptions): Promise<Wallets & Result> {
    return this.sender.json<Wallets>(
      { method: 'DELETE', path: '/workspace/wallets/apple', key: 'header' },
      options,
    );
  }

  /**
   * Make cards at Google by an account of your own.
   *
   * `serviceAccount` is the key file that the Google Cloud console made, as text; the account must be a
   * user of the issuer in the Pay & Wallet Console. It is kept sealed. Within a second new cards are made
   * there. Another account of the same issuer takes the place of the earlier one; cards that holders keep
   * stay those of the issuer that made them.
   *
   * Refused with `recent_sign_in_required`.
   */
  setGoogle(body: NewGoogleIdentity, options?: CallOptions): Promise<Wallets & Result> {
    return this.sender.json<Wallets>(
      { method: 'PUT', path: '/workspace/wallets/google', body, key: 'header' },
      options,
    );
  }

  /**
   * Have the installation make cards at Google again.
   *
   * Yours stays, sealed, as long as there are cards that it has made, so that these go on being updated.
   *
   * Refused with `recent_sign_in_required`.
   */
  removeGoogle(options?: CallOptions): Promise<Wallets & Result> {
    return this.sender.json<Wallets>(
      { method: 'DELETE', path: '/workspace/wallets/google', key: 'header' },
      options,
    );
  }

  /**
   * Let readers take cards by NFC.
   *
   * Those of passes with `walletOptions.nfc`. iPhones encrypt for `publicKey`, and need passes that are
   * signed with a certificate for NFC (`apple.nfc` of `GET /workspace/wallets`); Android phones hand
   * cards to the readers of `redemptionIssuers`. Their cards are renewed. docs/guides/nfc.md says what a
   * reader gets.
   *
   * Refused with `recent_sign_in_required`.
   */
  setNfc(body?: NfcReaders, options?: CallOptions): Promise<Wallets & Result> {
    return this.sender.json<Wallets>(
      { method: 'PUT', path: '/workspace/wallets/nfc', body, key: 'header' },
      options,
    );
  }

  /**
   * Have no readers take cards by NFC.
   *
   * The key is forgotten. Cards are renewed; until then readers that have it can go on.
   *
   * Refused with `recent_sign_in_required`.
   */
  removeNfc(options?: CallOptions): Promise<Wallets & Result> {
    return this.sender.json<Wallets>(
      { method: 'DELETE', path: '/workspace/wallets/nfc', key: 'header' },
      options,
    );
  }

  /**
   * Show the key of your NFC readers.
   *
   * The one that was made here, for the maker of the readers: with the private key they decrypt what
   * iPhones send, and prove to Android phones who they are. The audit log says who has seen it.
   *
   * Refused with `recent_sign_in_required`.
   */
  showNfcKey(options?: CallOptions): Promise<NfcKey & Result> {
    return this.sender.json<NfcKey>(
      { method: 'POST', path: '/workspace/wallets/nfc/key', key: 'header' },
      options,
    );
  }
}
