/**
 * What the scripts of the web card's page share: the page's elements, and the name of the browser.
 *
 * @typedef {object} State What the card shows, as the service draws it.
 * @property {string} version
 * @property {string} at
 * @property {string} language
 * @property {string} name
 * @property {Record<string, string>} theme
 * @property {string} face
 * @property {string} about
 * @property {Record<string, string>} facts
 * @property {string} changed
 */

export const page = element('main');

/** How the browser calls itself to this card's service. It stays the same where the browser keeps anything. */
export const viewer = stored() ?? store(newId());

/**
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function element(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`${selector} is missing`);
  return found;
}

/**
 * Writes a text, unless it is there already: what is written again is read out again.
 *
 * @param {HTMLElement} where
 * @param {string | undefined} text
 */
export function say(where, text = '') {
  if (where.textContent !== text) where.textContent = text;
}

/** Browsers without a secure context have no randomUUID. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function stored() {
  try {
    return localStorage.getItem(`viewer ${page.dataset.card}`);
  } catch {
    return null;
  }
}

/** @param {string} id */
function store(id) {
  try {
    localStorage.setItem(`viewer ${page.dataset.card}`, id);
  } catch {
    // A browser that keeps nothing calls itself something else the next time.
  }
  return id;
}
