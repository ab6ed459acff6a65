import type { Page } from 'playwright-core';

/**
 * Problems of a page for people who cannot see it well, or at all: the checks of WCAG 2.2 that a program can make. Empty
 * without problems. The contrast is held against every colour that can be behind a text.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const problems = await page.evaluate(`(${checks})()`);
  return problems as string[];
}

/** Runs in the page, which has no other scripts: as text, since the page's own policy allows no other way in. */
const checks = `function () {
  const problems = [];
  const colors = new Map();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const nameOf = (element) =>
    (element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? element.querySelector('title')?.textContent ?? element.textContent ?? '').trim();

  if (!/^[a-z]{2}/.test(document.documentElement.lang)) problems.push('the page has no language');
  if (document.title.trim() === '') problems.push('the page has no title');
  if (all('main').length !== 1) problems.push(all('main').length + ' main landmarks');
  if (all('h1').length !== 1) problems.push(all('h1').length + ' headings of the first level');
  let level = 0;
  for (const heading of all('h1, h2, h3, h4').filter((one) => one.checkVisibility())) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) problems.push('"' + heading.textContent + '" skips a level of headings');
    level = own;
  }
  const ids = all('[id]').map(({ id }) => id);
  for (const id of ids.filter((id, at) => ids.indexOf(id) < at)) problems.push('two elements are called ' + id);
  for (const element of all('[aria-labelledby]'))
    if (!ids.includes(element.getAttribute('aria-labelledby'))) problems.push(element.tagName + ' is labelled by nothing');
  for (const element of all('a[href], button, [role="img"], img:not([alt=""])').filter(isShown))
    if (nameOf(element) === '') problems.push('a ' + element.tagName + ' has no name');
  for (const element of all('a[href], button').filter(isShown)) {
    const { width, height } = element.getBoundingClientRect();
    const isInText = getComputedStyle(element).display === 'inline';
    if (!isInText && (width < 24 || height < 24)) problems.push('"' + nameOf(element) + '" is too small to hit');
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.push('the page is wider than its window');

  for (const element of all('body *').filter((one) => isShown(one) && hasText(one))) {
    const style = getComputedStyle(element);
    if (element.closest('.unseen, svg') !== null) continue;
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    for (const ground of groundsOf(element)) {
      const ratio = contrast(colorOf(style.color), ground);
      if (ratio < (isLarge ? 3 : 4.5) - 0.005)
        problems.push('"' + element.textContent.trim().slice(0, 40) + '" has a contrast of ' + ratio.toFixed(2));
    }
  }
  return problems;

  function hasText(element) {
    return [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  }
  /** The colours that are behind an element: that of the nearest ground, and of what is painted on a card's. */
  function groundsOf(element) {
    for (let ground = element; ground !== null; ground = ground.parentElement) {
      const style = getComputedStyle(ground);
      const color = colorOf(style.backgroundColor);
      if (color[3] < 1) continue;
      if (!ground.classList.contains('card')) return [color];
      return [color, colorOf(style.getPropertyValue('--card-shade'))];
    }
    return [[255, 255, 255, 1]];
  }
  /** Whatever form a colour is written in; a page has few. */
  function colorOf(text) {
    if (!colors.has(text)) colors.set(text, paintedAs(text));
    return colors.get(text);
  }
  function paintedAs(text) {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    context.fillStyle = text.trim();
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  }
  function contrast(one, other) {
    const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
  }
  function luminance([red, green, blue]) {
    const [r, g, b] = [red, green, blue].map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
}`;
