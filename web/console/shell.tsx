import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { LinkButton } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { path, visits } from '../shared/router.ts';
import { may, membership, session, workspaceId } from '../shared/session.ts';
import { Toasts } from '../shared/toast.tsx';
import { shell } from '../texts/shell.ts';
import { AccountMenu } from './account-menu.tsx';
import { goSignIn, isOperatorPage } from './api.ts';
import { CallsAsked } from './as-curl/as-curl.tsx';
import { Find, FindButton } from './find/find.tsx';
import { LazyPage } from './lazy-page.tsx';
import { findPage, pages } from './pages.ts';
import { inkOn, isColor } from './passes/designer/contrast.ts';
import { isSetUpDue } from './set-up.ts';
import { SignInAgain } from './sign-in-again.tsx';

export function Shell() {
  return isSetUpDue.value && !isOperatorPage() ? <SetUp /> : <Frame />;
}

const setUp = { path: '', load: async () => (await import('./settings/set-up-page.tsx')).SetUpPage };

/** Before anything else a person is asked how they get back in, who else could not. */
function SetUp() {
  // The page after it is no longer the one that the browser began with: its heading gets the focus.
  useLayoutEffect(() => {
    visits.value += 1;
  }, []);
  return (
    <div class="set-up">
      <Brand />
      <main id="content" tabIndex={-1}>
        <LazyPage page={setUp} params={{}} />
      </main>
      <Toasts />
    </div>
  );
}

/** The frame around all pages: navigation, account, the page itself, and what lies above it. */
function Frame() {
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
              <Fragment key={href}>
                <a href={href} aria-current={isAbove(href, at) ? 'page' : undefined}>
                  {nav && <Icon name={nav.icon} />}
                  {nav?.label()}
                </a>
                {href === '/console/cards' && may('award') && (
                  <a href="/scan">
                    <Icon name="scan" />
                    {t.scanner}
                  </a>
                )}
              </Fragment>
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

/** The open workspace by its colour and name; where there is none, the product. */
function Brand() {
  const { name = 'Punchcard', color = null } = membership.value ?? {};
  const mark = isColor(color) ? { background: color, color: inkOn(color) } : undefined;
  return (
    <a class="brand" href="/console">
      {membership.value === null ? (
        <Icon name="card" size={24} />
      ) : (
        <span class="brand-mark" style={mark} aria-hidden="true">
          {[...name][0]?.toLocaleUpperCase()}
        </span>
      )}
      <span dir="auto">{name}</span>
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
