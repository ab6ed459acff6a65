import { UserMessage } from '../../shared/api-error.ts';
import { settings } from '../../texts/settings.ts';

/** Why no passkey can be made here; null where one can. */
export function whyNoPasskeys(): 'secure' | 'name' | 'browser' | null {
  if (!isSecureContext) return 'secure';
  // WebAuthn ties a passkey to a name; an IP address is none.
  if (/^[\d.]+$|:/.test(location.hostname)) return 'name';
  const { PublicKeyCredential: known } = globalThis as { readonly PublicKeyCredential?: object };
  return known !== undefined && 'parseCreationOptionsFromJSON' in known ? null : 'browser';
}

/** Has the browser make a passkey of what the service offers; what POST /passkeys wants of it. */
export async function makePasskey(offered: object) {
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(
    offered as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await navigator.credentials.create({ publicKey: options }).catch((error: unknown) => {
    throw new UserMessage(sentenceOf(error));
  });
  if (!(made instanceof PublicKeyCredential)) throw new UserMessage(sentenceOf(null));
  const { id, response } = made.toJSON() as RegistrationResponseJSON;
  const { clientDataJSON, attestationObject } = response;
  return { id, clientDataJSON, attestationObject };
}

/** Has the browser sign what the service asks, with a passkey of it; what POST /sessions wants of it. */
export async function signWithPasskey(asked: object) {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(
    asked as PublicKeyCredentialRequestOptionsJSON,
  );
  const made = await navigator.credentials.get({ publicKey: options }).catch((error: unknown) => {
    throw new UserMessage(sentenceOf(error));
  });
  if (!(made instanceof PublicKeyCredential)) throw new UserMessage(sentenceOf(null));
  const { id, response } = made.toJSON() as AuthenticationResponseJSON;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, clientDataJSON, authenticatorData, signature, userHandle };
}

/** The browser's own reasons have names. */
function sentenceOf(error: unknown): string {
  const problems: Readonly<Record<string, string>> = settings().account.passkeyProblems;
  const name = error instanceof Error ? error.name : 'other';
  return problems[name] ?? problems.other ?? name;
}
