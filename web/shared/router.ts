import { computed, signal } from '@preact/signals';

/** Where the browser is, as far as pages care. */
const here = signal(readLocation());

export const path = computed(() => here.value.path);
/** What follows the question mark: filters, so that what is shown can be shared. @public */
export const query = computed(() => new URLSearchParams(here.value.search));
/** Counts the pages that were opened; 0 is the one that the browser began with. */
export const visits = signal(0);

/** Opens another page of this app. */
export function navigate(href: string, { replace = false } = {}): void {
  const url = new URL(href, location.href);
  const isSame = url.pathname === here.value.path;
  if (replace) history.replaceState(null, '', url);
  else {
    history.replaceState({ scrollY }, '');
    history.pushState(null, '', url);
  }
  if (!isSame) {
    visits.value += 1;
    scrollTo(0, 0);
  }
  here.value = readLocation();
}

/** Changes filters in the address; null and empty take one away. Nothing is added to the history. @public */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const next = new URLSearchParams(here.value.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  const search = next.size === 0 ? '' : `?${next}`;
  navigate(`${here.value.path}${search}`, { replace: true });
}

/** Lets links of this app open without a new document, and the browser's own buttons work. */
export function startRouter(root: string): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', ({ state }) => {
    visits.value += 1;
    here.value = readLocation();
    scrollBack((state as { readonly scrollY?: number } | null)?.scrollY ?? 0);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.hash !== '' && link.pathname === location.pathname) return;
    if (link.pathname !== root && !link.pathname.startsWith(`${root}/`)) return;
    event.preventDefault();
    navigate(link.href);
  });
}

/** The parameters of a path that a pattern such as `/console/cards/:instanceId` fits; null where it does not. */
export function match(pattern: string, actual: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/');
  const parts = actual.replace(/\/$/, '').split('/');
  if (wanted.length !== parts.length) return null;
  const found: Record<string, string> = {};
  for (const [at, name] of wanted.entries()) {
    const part = parts[at] ?? '';
    if (name.startsWith(':')) found[name.slice(1)] = decoded(part);
    else if (name !== part) return null;
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readLocation() {
  return { path: location.pathname.replace(/(.)\/$/, '$1'), search: location.search };
}

/** Waits for the page to be as long as it was, for a second at most. */
function scrollBack(top: number): void {
  let frames = 60;
  const tryAgain = () => {
    scrollTo(0, top);
    frames -= 1;
    if (Math.abs(scrollY - top) > 1 && frames > 0) requestAnimationFrame(tryAgain);
  };
  requestAnimationFrame(tryAgain);
}
