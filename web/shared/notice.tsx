import type { ComponentChildren } from 'preact';
import { shared } from '../texts/shared.ts';
import { requestIdOf, sentenceOf } from './api-error.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { RequestReference } from './request-reference.tsx';

type Kind = 'note' | 'alert' | 'good';

/** Something to know before going on. */
export function Notice({
  kind = 'note',
  icon = kind === 'good' ? 'check' : 'alert',
  title,
  action,
  children,
}: {
  readonly kind?: Kind;
  readonly icon?: IconName;
  readonly title: string;
  /** The button for what it asks for. */
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`}>
      <Icon name={icon} />
      <div>
        <strong>{title}</strong>
        {children}
      </div>
      {action}
    </div>
  );
}

/** A word about the state of something. */
export function Badge({ kind, children }: { readonly kind?: Kind; readonly children: ComponentChildren }) {
  return <span class={`badge ${kind ?? ''}`}>{children}</span>;
}

/** What a list shows that has nothing: why that is so, and what to do. */
export function EmptyState({
  icon,
  title,
  text,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} size={36} />
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children !== undefined && <div class="row">{children}</div>}
    </div>
  );
}

/** In the place of what could not be loaded. */
export function LoadFailure({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const t = shared();
  return (
    <div class="empty" role="alert">
      <Icon name="alert" size={36} />
      <h2>{t.notLoaded}</h2>
      <p>{sentenceOf(error)}</p>
      <RequestReference requestId={requestIdOf(error)} />
      <div class="row">
        <Button kind="quiet" icon="refresh" onClick={retry}>
          {t.tryAgain}
        </Button>
      </div>
    </div>
  );
}

/** Room for what is being loaded, so that nothing jumps when it comes. */
export function Skeleton({
  lines = 1,
  height = 1.25,
}: {
  readonly lines?: number;
  readonly height?: number;
}) {
  const t = shared();
  return (
    <div class="stack" aria-busy="true">
      <span class="unseen">{t.loading}</span>
      {Array.from({ length: lines }, (_, at) => (
        <div class="skeleton" key={at} style={{ height: `${height}rem` }} />
      ))}
    </div>
  );
}
