import type { ComponentChildren } from 'preact';
import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { useCached } from '../../shared/cached.ts';
import type { Loaded } from '../../shared/data.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { PageHeader, Tabs } from '../../shared/page-header.tsx';
import { passes } from '../../texts/passes.ts';
import { api } from '../api.ts';
import { StatusBadge } from './status-badge.tsx';

export type PassPageName = 'design' | 'program' | 'pool' | 'join' | 'messages' | 'invites';

type LoadedPass = Loaded<Awaited<ReturnType<typeof api.passes.get>>>;

/** A page of a pass: loads it, and shows the head that they all have above what `children` makes of it. @public */
export function PassFrame({
  passId,
  page,
  actions,
  children,
}: {
  readonly passId: string;
  readonly page: PassPageName;
  readonly actions?: (pass: Pass) => ComponentChildren;
  readonly children: (pass: Pass, loaded: LoadedPass) => ComponentChildren;
}) {
  const loaded = useCached(['passes', passId], (options) => api.passes.get(passId, options));
  const pass = loaded.value;
  return (
    <>
      <PassHeader
        passId={passId}
        pass={pass}
        page={page}
        actions={pass === undefined ? undefined : actions?.(pass)}
      />
      <LoadedView of={loaded} lines={3} height={6}>
        {(value) => children(value, loaded)}
      </LoadedView>
    </>
  );
}

/** The head of the pages of a pass, its tabs below. */
export function PassHeader({
  passId,
  pass,
  page,
  actions,
}: {
  readonly passId: string;
  /** Undefined until it is loaded. */
  readonly pass: Pass | undefined;
  readonly page: PassPageName;
  readonly actions?: ComponentChildren;
}) {
  const t = passes();
  const name = t.pages[page];
  return (
    <PageHeader
      title={pass === undefined ? name : `${pass.title} · ${name}`}
      lead={
        pass && (
          <span class="row">
            <StatusBadge status={pass.status} />
            <span>{t.types[pass.type]}</span>
          </span>
        )
      }
      back={{ href: '/console/passes', label: t.title }}
      actions={actions}
    >
      <PassTabs passId={passId} pass={pass} />
    </PageHeader>
  );
}

/** The pages that this pass needs. */
function PassTabs({ passId, pass }: { readonly passId: string; readonly pass: Pass | undefined }) {
  const t = passes();
  const tabs = Object.entries(t.pages)
    .filter(([name]) => name !== 'pool' || pass?.barcode.mode === 'pool')
    .map(([name, label]) => ({ href: `/console/passes/${passId}/${name}`, label }));
  return <Tabs label={t.tabs} tabs={tabs} />;
}
