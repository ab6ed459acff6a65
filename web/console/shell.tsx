import { useSignal } from '@preact/signals';
import { type ComponentType, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LinkButton } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { LoadFailure, Skeleton } from '../shared/notice.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { path, visits } from '../shared/router.ts';
import { may, membership, session, workspaceId } from '../shared/session.ts';
import { Toasts } from '../shared/toast.tsx';
import { shell } from '../texts/shell.ts';
import { AccountMenu } from './account-menu.tsx';
import { goSignIn } from './api.ts';
import { CallsAsked } from './as-curl/as-curl.tsx';
import { Find, FindButton } from './find/find.tsx';
import type { Page, PageProps } from './page.ts';
import { findPage, pages } from './pages.ts';
import { SignInAgain } from './sign-in-again.tsx';

/** The frame around all pages: navigation, account, the page itself, and what lies above it. */
export function Shell() {
  const t = shell();
  const isOpen = useSignal(false);
  const menu = useRef<HTMLButtonElement>(null);
  const at = path.value;
  useEffect(() => {
    isOpen.value = false;
  }, [visits.value]);
  useLayoutEffect(() => {
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !isOpen.value) return;
      isOpen.value = false;
      menu.current?.focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, []);
  return (
    <div class="shell">
      <a class="button skip" href="#content">
        {t.skip}
      </a>
      <div class="top">
        <Brand />
        <FindButton isSmall />
        <button
          type="button"
          class="button plain"
          ref={menu}
          aria-expanded={isOpen.value}
          aria-controls="side"
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <Icon name={isOpen.value ? 'close' : 'menu'} />
          {t.menu}
        </button>
      </div>
      <header class={`side ${isOpen.value ? 'open' : ''}`} id="side">
        <Brand />
        <FindButton />
        <nav class="nav" aria-label={t.navigation}>
          {pages
            .filter(({ nav, need = 'read' }) => nav !== undefined && nav.isShown?.() !== false && may(need))
            .map(({ path: href, nav }) => (
              <a key={href} href={href} aria-current={isAbove(href, at) ? 'page' : undefined}>
                {nav && <Icon name={nav.icon} />}
                {nav?.label()}
              </a>
            ))}
        </nav>
        <AccountMenu />
      </header>
      <main class="content" id="content" tabIndex={-1}>
        <CurrentPage key={`${workspaceId.value} ${at}`} />
      </main>
      <Find />
      <Toasts />
      <CallsAsked />
      <SignInAgain />
    </div>
  );
}

function Brand() {
  return (
    <a class="brand" href="/console">
      <Icon name="card" size={24} />
      Punchcard
    </a>
  );
}

/** Whether a page belongs to what an entry of the navigation is about. */
function isAbove(entry: string, at: string): boolean {
  return entry === at || (entry !== '/console' && at.startsWith(`${entry}/`));
}

function CurrentPage() {
  const t = shell();
  const found = findPage(path.value);
  const role = membership.value?.role;
  const need = found?.page.need ?? 'read';
  if (session.value === null && need !== 'none') return <GoSignIn />;
  if (role === undefined && need !== 'none')
    return <Nothing title={t.noWorkspace.title} text={t.noWorkspace.text} isHome={false} />;
  if (found === null) return <Nothing title={t.notFound.title} text={t.notFound.text} />;
  if (role !== undefined && !may(need))
    return <Nothing title={t.notAllowed.title} text={t.notAllowed.text(t.roles[role])} />;
  return <LazyPage {...found} />;
}

/** The operator, who needs no session, has asked for a page that does. */
function GoSignIn() {
  useEffect(goSignIn, []);
  return null;
}

/** Pages that were opened before are there at once. */
const known = new Map<Page, ComponentType<PageProps>>();

function LazyPage({ page, params }: { readonly page: Page } & PageProps) {
  const [Loaded, setLoaded] = useState(() => known.get(page));
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    page.load().then(
      (component) => {
        known.set(page, component);
        setLoaded(() => component);
      },
      (failure: unknown) => setError(failure),
    );
  };
  useEffect(() => {
    if (Loaded === undefined) load();
  }, []);
  if (Loaded !== undefined) return <Loaded params={params} />;
  // A file that is gone since: the service was upgraded, and the page begins anew.
  if (error !== undefined) return <LoadFailure error={error} retry={() => location.reload()} />;
  return (
    <Fragment>
      <Skeleton height={2.25} />
      <br />
      <Skeleton lines={2} height={8} />
    </Fragment>
  );
}

function Nothing({
  title,
  text,
  isHome = true,
}: {
  readonly title: string;
  readonly text: string;
  readonly isHome?: boolean;
}) {
  return (
    <>
      <PageHeader title={title} lead={text} />
      {isHome && (
        <LinkButton kind="quiet" href="/console">
          {shell().notFound.home}
        </LinkButton>
      )}
    </>
  );
}
