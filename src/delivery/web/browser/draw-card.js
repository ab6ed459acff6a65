/** Shows states of the card, and says what has changed. */
import { element, page, say } from './page-parts.js';

/** @typedef {import('./page-parts.js').State} State */

const highlightMs = 4_000;

/** @type {State | null} */
let shown = null;

/** What is shown; null while that is only what the page came with. */
export function shownState() {
  return shown;
}

/** @param {State} state */
export function showState(state) {
  const before = shown;
  shown = state;
  // The page's own words are in the language that it was loaded in.
  if (before !== null && before.language !== state.language) location.reload();
  if (state.version === page.dataset.version) return;
  draw(state);
  if (before !== null) announce(before, state);
}

/** @param {State} state */
function draw(state) {
  page.dataset.version = state.version;
  page.classList.add('live-card');
  document.title = state.name;
  // Set by a script, a style needs no leave of the content security policy.
  for (const [name, value] of Object.entries(state.theme))
    document.documentElement.style.setProperty(name, value);
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', state.theme['--card'] ?? '');
  drawPart(element('#face'), state.face);
  drawPart(element('#more'), state.about);
}

/**
 * @param {HTMLElement} part
 * @param {string} html Written by the service, which lets no text become markup.
 */
function drawPart(part, html) {
  const before = new Map(entriesIn(part).map((entry) => [labelIn(entry), valueIn(entry)]));
  const pictures = new Map(picturesIn(part).map((picture) => [picture.outerHTML, picture]));
  part.innerHTML = html;
  // One that is there already stays: another would have to be decoded, and blink.
  for (const picture of picturesIn(part)) picture.replaceWith(pictures.get(picture.outerHTML) ?? picture);
  for (const entry of entriesIn(part))
    if (before.get(labelIn(entry)) !== valueIn(entry)) highlight(entry.querySelector('dd'));
}

/** @param {Element | null} value */
function highlight(value) {
  value?.classList.add('changed');
  setTimeout(() => value?.classList.remove('changed'), highlightMs);
}

/**
 * Announces what has changed to holders who cannot see it.
 *
 * @param {State} before
 * @param {State} now
 */
function announce(before, now) {
  const changes = Object.entries(now.facts).filter(([key, fact]) => before.facts[key] !== fact);
  say(element('#news'), changes.map(([, fact]) => fact).join('. ') || now.changed);
}

/** @param {Element} part */
function picturesIn(part) {
  return [...part.querySelectorAll('img')];
}

/** @param {Element} part */
function entriesIn(part) {
  return [...part.querySelectorAll('dl > div')];
}

/** @param {Element} entry */
function labelIn(entry) {
  return entry.querySelector('dt')?.textContent ?? '';
}

/** @param {Element} entry */
function valueIn(entry) {
  return entry.querySelector('dd')?.textContent ?? '';
}
