import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { Button, LinkButton } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { EmptyState, LoadFailure, Skeleton } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import type { Pages } from '../../shared/pages.ts';
import { query } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { passes } from '../../texts/passes.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { PassCard } from './pass-card.tsx';

const templates = '/console/passes/new';

/** All passes as pictures of their cards, newest first. */
export function PassesPage() {
  const t = passes();
  const status = asStatus(query.value.get('status'));
  const pages = usePages(['passes', { status }], (options) =>
    api.passes.list({ limit: 24, ...(status && { status }) }, options),
  );
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          may('write') && (
            <LinkButton icon="plus" href={templates}>
              {t.create}
            </LinkButton>
          )
        }
      >
        <nav class="tabs" aria-label={t.filter}>
          {[null, 'draft' as const, 'published' as const, 'archived' as const].map((one) => (
            <a
              key={one}
              href={one === null ? '/console/passes' : `/console/passes?status=${one}`}
              aria-current={one === status ? 'page' : undefined}
            >
              {one === null ? t.all : t.filters[one]}
            </a>
          ))}
        </nav>
      </PageHeader>
      <Gallery pages={pages} isFiltered={status !== null} />
    </>
  );
}

function Gallery({ pages, isFiltered }: { readonly pages: Pages<Pass>; readonly isFiltered: boolean }) {
  const { items, error, isLoading, more, reload } = pages;
  if (items === undefined)
    return error === undefined ? (
      <div class="gallery">
        {[1, 2, 3].map((at) => (
          <Skeleton key={at} height={22} />
        ))}
      </div>
    ) : (
      <LoadFailure error={error} retry={reload} />
    );
  if (items.length === 0) return <NoPasses isFiltered={isFiltered} />;
  return (
    <div class="stack">
      <ul class="gallery">
        {items.map((pass) => (
          <PassCard key={pass.passId} pass={pass} onChange={() => invalidate(['passes'])} />
        ))}
      </ul>
      {(more !== undefined || error !== undefined) && (
        <div class="table-end">
          <Button kind="quiet" isBusy={isLoading} onClick={more ?? reload}>
            {error === undefined ? shared().showMore : shared().tryAgain}
          </Button>
        </div>
      )}
    </div>
  );
}

function NoPasses({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = passes();
  return (
    <div class="panel flush">
      {isFiltered ? (
        <EmptyState icon="pass" title={t.emptyFilter}>
          <LinkButton kind="quiet" href="/console/passes">
            {t.showAll}
          </LinkButton>
        </EmptyState>
      ) : (
        <EmptyState icon="pass" title={t.empty.title} text={t.empty.text}>
          {may('write') && <LinkButton href={templates}>{t.empty.action}</LinkButton>}
        </EmptyState>
      )}
    </div>
  );
}

function asStatus(text: string | null): Pass['status'] | null {
  return text === 'draft' || text === 'published' || text === 'archived' ? text : null;
}
