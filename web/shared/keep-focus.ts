const focusable = 'a[href], button, input, select, textarea, summary';
/** Long enough for a page to place the focus itself. */
const settleMs = 150;

/**
 * Where what had the focus is taken away, such as a button that has done its work, the focus goes to what is near it, or to
 * the heading of the page: people without a mouse would have to begin at the top of the document.
 */
export function keepFocus(): void {
  let around: readonly Element[] = [];
  let waiting: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('focusin', ({ target }) => {
    around = target instanceof Element ? ancestorsOf(target) : [];
  });
  // A pointer elsewhere means that the person has left it.
  document.addEventListener('pointerdown', () => {
    around = [];
  });
  const isLost = () => document.activeElement === document.body && around[0]?.isConnected === false;
  const find = () => {
    if (!isLost()) return;
    const near = around.find((one) => one.isConnected && one.querySelector(focusable) !== null);
    const target = near === undefined || near.matches('main, :has(main)') ? null : near;
    (target ?? document).querySelector<HTMLElement>(target === null ? 'h1' : focusable)?.focus();
  };
  new MutationObserver(() => {
    if (!isLost()) return;
    clearTimeout(waiting);
    waiting = setTimeout(find, settleMs);
  }).observe(document.body, { childList: true, subtree: true });
}

function ancestorsOf(element: Element): readonly Element[] {
  const all: Element[] = [];
  for (let one: Element | null = element; one !== null; one = one.parentElement) all.push(one);
  return all;
}
