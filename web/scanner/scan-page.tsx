import { useRef } from 'preact/hooks';
import type { Instance } from '../../sdk/typescript/src/types.ts';
import { requestIdOf, sentenceOf } from '../shared/api-error.ts';
import { shownBalance } from '../shared/balance.ts';
import { Button, LinkButton } from '../shared/button.tsx';
import { useLoad } from '../shared/data.ts';
import { formatNumber } from '../shared/format.ts';
import { Icon } from '../shared/icon.tsx';
import { Badge, Notice } from '../shared/notice.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { scanner } from '../texts/scanner.ts';
import { nameOf, usePassTitle } from './card-name.ts';
import { UnknownCard } from './offline/unknown-card.tsx';
import { WaitingBar } from './offline/waiting-bar.tsx';
import { forgetSearch, onCode, onText, search, showCard } from './scans.ts';

/** What is typed, or read by a reader, does not wait for the camera. */
const loadCamera = async () => (await import('./camera/camera.tsx')).Camera;

/** The first page: what finds a card. */
export function ScanPage() {
  const t = scanner();
  const input = useRef<HTMLInputElement>(null);
  const { value: Camera } = useLoad(loadCamera);
  const isLooking = search.value.kind === 'looking';
  return (
    <div class="scan stack">
      <PageHeader title={t.title} lead={t.scan.lead} />
      <WaitingBar />
      {Camera !== undefined && <Camera onCode={({ text }) => onCode(text)} />}
      <form
        class="look-up"
        onSubmit={(event) => {
          event.preventDefault();
          onText(input.current?.value.trim() ?? '');
        }}
      >
        <label for="look-up">{t.scan.label}</label>
        <div class="look-up-line">
          <input
            id="look-up"
            ref={input}
            type="search"
            enterkeyhint="search"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            maxLength={200}
            placeholder={t.scan.placeholder}
          />
          <Button type="submit" icon="search" isBusy={isLooking}>
            {t.scan.submit}
          </Button>
        </div>
      </form>
      <div aria-live="polite">
        <SearchResult />
      </div>
      <nav class="scan-more" aria-label={t.scan.more}>
        <LinkButton kind="quiet" icon="plus" href="/scan/enrol">
          {t.enrol.title}
        </LinkButton>
      </nav>
    </div>
  );
}

function SearchResult() {
  const t = scanner().scan;
  const result = search.value;
  switch (result.kind) {
    case 'none':
      return null;
    case 'looking':
      return <p class="soft">{t.looking(result.text)}</p>;
    case 'nothing':
      return (
        <Notice title={t.nothing(result.text)}>
          <p>{t.nothingText}</p>
        </Notice>
      );
    case 'shared':
      return (
        <Notice title={t.shared}>
          <p>{t.sharedText}</p>
        </Notice>
      );
    case 'unknown':
      return (
        <UnknownCard
          key={result.text}
          code={result.text}
          readings={result.readings}
          isTyped={result.isTyped}
          done={forgetSearch}
        />
      );
    case 'failed':
      return (
        <Notice kind="alert" title={sentenceOf(result.error)}>
          {requestIdOf(result.error) !== null && <code class="small">{requestIdOf(result.error)}</code>}
        </Notice>
      );
    case 'several':
      return (
        <section class="stack" aria-labelledby="several">
          <h2 id="several">{t.several(formatNumber(result.cards.length))}</h2>
          <ul class="hits">
            {result.cards.map((card) => (
              <li key={card.instanceId}>
                <Hit card={card} />
              </li>
            ))}
          </ul>
        </section>
      );
  }
}

function Hit({ card }: { readonly card: Instance }) {
  const t = scanner();
  const title = usePassTitle(card.passId);
  return (
    <button type="button" class="hit" onClick={() => showCard(card)}>
      <span>
        <strong dir="auto">{nameOf(card)}</strong>
        <span class="soft small" dir="auto">
          {title}
        </span>
      </span>
      {card.status === 'voided' ? (
        <Badge kind="alert">{t.card.void}</Badge>
      ) : (
        card.loyalty !== null && <span class="number">{shownBalance(card.loyalty)}</span>
      )}
      <Icon name="right" />
    </button>
  );
}
