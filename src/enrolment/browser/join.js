// Does the work that a page asks for before it enrols a person, a slice at a time, so that the page stays responsive. Without this
// script the form works as well, for fewer people at a time.
const form = document.querySelector('form.join');
const work = form?.querySelector('[name=work]');
const challenge = form?.querySelector('[name=challenge]');
const button = form?.querySelector('button');

/** SHA-256 (FIPS 180-4): the browser's own is missing on plain http, and slow for many short texts. */
const K = new Uint32Array(64);
const START = new Uint32Array(8);
for (let candidate = 2, found = 0; found < 64; candidate++) {
  let isPrime = true;
  for (let factor = 2; factor * factor <= candidate; factor++) if (candidate % factor === 0) isPrime = false;
  if (!isPrime) continue;
  if (found < 8) START[found] = (Math.sqrt(candidate) % 1) * 2 ** 32;
  K[found++] = (Math.cbrt(candidate) % 1) * 2 ** 32;
}

/** @param {number} word @param {number} by */
const turn = (word, by) => (word >>> by) | (word << (32 - by));
const words = new Uint32Array(64);
/** @param {number} at */
const word = (at) => words[at] ?? 0;

/** @param {Uint32Array} state */
function compress(state) {
  for (let at = 16; at < 64; at++) {
    const [before, last] = [word(at - 15), word(at - 2)];
    words[at] =
      word(at - 16) +
      (turn(before, 7) ^ turn(before, 18) ^ (before >>> 3)) +
      word(at - 7) +
      (turn(last, 17) ^ turn(last, 19) ^ (last >>> 10));
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at++) {
    const one =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (K[at] ?? 0) + word(at)) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [at, sum] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + sum;
}

/** The first word of the hash of a text of ASCII. @param {string} text */
function firstWord(text) {
  const state = START.slice();
  const length = text.length;
  const blocks = Math.ceil((length + 9) / 64);
  for (let block = 0; block < blocks; block++) {
    for (let at = 0; at < 16; at++) {
      let bytes = 0;
      for (let byte = 0; byte < 4; byte++) {
        const place = block * 64 + at * 4 + byte;
        bytes = (bytes << 8) | (place < length ? text.charCodeAt(place) : place === length ? 0x80 : 0);
      }
      words[at] = bytes;
    }
    if (block === blocks - 1) words[15] = length * 8;
    compress(state);
  }
  return state[0] ?? 0;
}

/** How many bits of it have to be zero: as the service has it. */
const bits = 16;

/** @param {string} task */
async function solve(task) {
  for (let tries = 0; ; tries++) {
    if (firstWord(`${task}:${tries}`) >>> (32 - bits) === 0) return String(tries);
    if (tries % 2000 === 1999) await new Promise((go) => setTimeout(go, 0));
  }
}

if (
  form instanceof HTMLFormElement &&
  work instanceof HTMLInputElement &&
  challenge instanceof HTMLInputElement &&
  button instanceof HTMLButtonElement
) {
  const solved = solve(challenge.value).then((answer) => {
    work.value = answer;
  });
  form.addEventListener('submit', (event) => {
    if (work.value !== '') {
      // The second press of a button.
      if (button.ariaBusy === 'true') event.preventDefault();
      button.ariaBusy = 'true';
      return;
    }
    event.preventDefault();
    if (button.ariaBusy === 'true') return;
    const label = button.textContent;
    button.ariaBusy = 'true';
    button.textContent = form.dataset.wait ?? label;
    void solved.then(() => {
      button.textContent = label;
      button.ariaBusy = null;
      form.requestSubmit();
    });
  });
  // Who comes back finds the button as it was.
  addEventListener('pageshow', () => {
    button.ariaBusy = null;
  });
}

// In a frame: reports the height of this page to the outer one, and nothing else.
if (parent !== window) {
  const postHeight = () => parent.postMessage({ joinHeight: document.documentElement.scrollHeight }, '*');
  new ResizeObserver(postHeight).observe(document.body);
}
