import type { ComponentChildren } from 'preact';
import { LinkButton } from '../../shared/button.tsx';

/** What is done one after the other, each with its number. */
export function SetupSteps({ children }: { readonly children: ComponentChildren }) {
  return <ol class="setup-steps">{children}</ol>;
}

export function SetupStep({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <li class="panel">
      <h2>{title}</h2>
      <div class="stack">{children}</div>
    </li>
  );
}

/** What to press at the site of another company, in its own words. */
export function Instructions({ steps }: { readonly steps: readonly string[] }) {
  return (
    <ol class="numbered">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

/** Another site, in another tab. */
export function SiteLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <div class="row">
      <LinkButton kind="quiet" icon="globe" href={href} isElsewhere>
        {children}
      </LinkButton>
    </div>
  );
}
