import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { path, visits } from './router.ts';

/** The head of a page: its only first heading, which is its title too, and gets the focus when the page is opened. */
export function PageHeader({
  title,
  lead,
  back,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** The page above this one. */
  readonly back?: { readonly href: string; readonly label: string };
  readonly actions?: ComponentChildren;
  /** Below the heading: tabs. */
  readonly children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = title;
    // It may say more now than when it was read aloud: the name of what was loaded.
    if (document.activeElement !== heading.current) return;
    heading.current?.blur();
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  useLayoutEffect(() => {
    if (visits.peek() > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header class="page-header">
      <div>
        {back !== undefined && (
          <a class="back" href={back.href}>
            <Icon name="left" size={16} />
            {back.label}
          </a>
        )}
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {actions !== undefined && <div class="row">{actions}</div>}
      {children}
    </header>
  );
}

/** Pages that belong together, as links. */
export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly href: string; readonly label: string }[];
}) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone they are wider than the window.
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && current) nav.current.scrollLeft = current.offsetLeft - nav.current.offsetLeft - 48;
  }, [path.value]);
  return (
    <nav class="tabs" aria-label={label} ref={nav}>
      {tabs.map((tab) => (
        <a key={tab.href} href={tab.href} aria-current={tab.href === path.value ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
