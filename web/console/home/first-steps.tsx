import { LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { may } from '../../shared/session.ts';
import { home } from '../../texts/home.ts';
import type { Surroundings } from './look-around.ts';

/** How far a new workspace has come; nothing once its first card is in a wallet. */
export function FirstSteps({ of: { passes, statistics } }: { readonly of: Surroundings }) {
  const t = home().first;
  const issued = passes.some(({ counts }) => counts.issued > 0) || statistics.totals.issued > 0;
  const installed = passes.some(({ counts }) => counts.installed > 0) || statistics.totals.installed > 0;
  if (installed) return null;
  const [first] = passes;
  const ofFirst = first === undefined ? '/console/passes' : `/console/passes/${first.passId}/design`;
  const steps = [
    { isDone: passes.length > 0, title: t.pass, text: t.passText, href: '/console/start' },
    {
      isDone: passes.some(({ status }) => status !== 'draft'),
      title: t.published,
      text: t.publishedText,
      href: ofFirst,
    },
    { isDone: issued, title: t.issued, text: t.issuedText, href: '/console/cards' },
    { isDone: false, title: t.installed, text: t.installedText, href: '/console/cards' },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section class="panel">
      <header>
        <h2>{t.title}</h2>
        <span class="soft">{t.lead}</span>
      </header>
      <ol class="steps">
        {steps.map(({ isDone, title, text, href }, at) => (
          <li key={title} class={isDone ? 'step-done' : at === next ? 'step-next' : ''}>
            <span class="step-mark">
              {isDone ? <Icon name="check" size={18} /> : at + 1}
              {isDone && <span class="unseen">{t.done}</span>}
            </span>
            <strong>{at === next ? <a href={href}>{title}</a> : title}</strong>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      {first === undefined && may('write') && (
        <p class="row begin">
          <LinkButton href="/console/start">{t.start}</LinkButton>
          <a href="/console/passes/new">{t.templates}</a>
        </p>
      )}
    </section>
  );
}
