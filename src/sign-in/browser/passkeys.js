/**
 * Signs in with a passkey, and adds and removes them. Without this script the pages do all the rest. What it says stands
 * in the section, in the language of the page.
 */

const section = /** @type {HTMLElement} */ (document.getElementById('passkeys'));
const problem = /** @type {HTMLElement} */ (document.getElementById('passkeys-problem'));
const works = /** @type {HTMLElement} */ (document.getElementById('passkeys-work'));

section.hidden = false;
if (isPossible()) {
  works.hidden = false;
  onClick('passkey-sign-in', signIn);
  onClick('passkey-add', add);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
    section.querySelectorAll('button[data-passkey]')
  ))
    button.addEventListener('click', () => attempt(button, () => remove(String(button.dataset.passkey))));
}

/** Whether this browser can, at this address; if not, says why. */
function isPossible() {
  const { origin, insecure, elsewhere, old } = section.dataset;
  if (!window.isSecureContext) say(insecure);
  else if (location.origin !== origin) say(elsewhere);
  else if (typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON !== 'function') say(old);
  else return true;
  return false;
}

async function signIn() {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(await call('GET', '/sessions/options'));
  const { id, response } = await made(navigator.credentials.get({ publicKey: options }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const signed = { id, clientDataJSON, authenticatorData, signature, userHandle };
  const { workspaces } = await call('POST', '/sessions', signed);
  const wanted = document.getElementById('passkey-sign-in')?.dataset.next || firstPageOf(workspaces);
  location.assign(wanted);
}

/**
 * As the links of mails lead.
 *
 * @param {readonly { role: string }[]} workspaces
 */
function firstPageOf(workspaces) {
  const isStaff = workspaces.length > 0 && workspaces.every(({ role }) => role === 'staff');
  return isStaff ? '/scan' : '/console';
}

async function add() {
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(await call('GET', '/passkeys/options'));
  const { id, response } = await made(navigator.credentials.create({ publicKey: options }));
  const { clientDataJSON, attestationObject } = response;
  const field = /** @type {HTMLInputElement} */ (document.getElementById('passkey-name'));
  const name = field.value.trim();
  await call('POST', '/passkeys', { ...(name !== '' && { name }), id, clientDataJSON, attestationObject });
  location.reload();
}

/** @param {string} passkeyId */
async function remove(passkeyId) {
  await call('DELETE', `/passkeys/${passkeyId}`);
  location.reload();
}

/**
 * @param {string} id
 * @param {() => Promise<void>} act
 */
function onClick(id, act) {
  const button = /** @type {HTMLButtonElement | null} */ (document.getElementById(id));
  button?.addEventListener('click', () => attempt(button, act));
}

/**
 * Does it once at a time, and says what went wrong.
 *
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} act
 */
async function attempt(button, act) {
  button.disabled = true;
  say('');
  try {
    await act();
  } catch (error) {
    say(reasonOf(error));
  } finally {
    button.disabled = false;
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  const { undone, known, failed } = section.dataset;
  if (!(error instanceof Error)) return failed;
  if (error.name === 'NotAllowedError') return undone;
  if (error.name === 'InvalidStateError') return known;
  // The messages of the API are English.
  const isRead = error.name === 'Refused' && /^en\b/.test(document.documentElement.lang);
  return section.dataset[error.message] ?? (isRead ? String(error.cause) : failed);
}

/**
 * What the browser has made, as text.
 *
 * @param {Promise<Credential | null>} making
 * @returns {Promise<{ id: string, response: any }>}
 */
async function made(making) {
  const credential = await making;
  if (!(credential instanceof PublicKeyCredential)) throw new Error('nothing made');
  return credential.toJSON();
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function call(method, path, body) {
  const reply = await fetch(path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const answer = reply.status === 204 ? null : await reply.json();
  if (!reply.ok) throw refused(answer);
  return answer;
}

/**
 * An error whose message is the code of a refusal.
 *
 * @param {{ code: string, error: string }} answer
 */
function refused({ code, error }) {
  return Object.assign(new Error(code, { cause: error }), { name: 'Refused' });
}

/** @param {string | undefined} text */
function say(text = '') {
  problem.textContent = text;
}
