import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Store, StoreTest } from '../../../sdk/typescript/src/types.ts';
import { Button, LinkButton } from '../../shared/button.tsx';
import { invalidate, useCached } from '../../shared/cached.ts';
import { type Loaded, useAction } from '../../shared/data.ts';
import { LoadFailure, Notice, Skeleton } from '../../shared/notice.tsx';
import { connect } from '../../texts/connect.ts';
import { api } from '../api.ts';
import { MessagesSetup } from './messages-setup.tsx';
import { EditStore } from './store-actions.tsx';
import { testSentence } from './store-state.tsx';

/** A store that was connected on this page, with the secret that cannot be read back later. */
export interface Made {
  readonly store: Store;
  readonly secret: string;
}

/** The last step: the shop is asked, and sends its messages once it has answered. */
export function Connected({ made, onAgain }: { readonly made: Made; readonly onAgain: () => void }) {
  const t = connect();
  const { store, secret } = made;
  const { storeId, domain } = store;
  const test = useCached(['store tests', storeId], (options) => api.stores.test(storeId, options));
  const isRead = test.value?.ok === true;
  // Kept while it cannot be read, so that nothing is typed again: the step is done once it can.
  const isFailed = test.error !== undefined || (test.value?.ok === false && !test.isLoading);
  const heading = isRead ? t.isConnected : isFailed ? t.isUnread : t.isAsked;
  return (
    <>
      <Steps at={isRead ? 2 : 1} />
      <StepHeading>{heading(domain)}</StepHeading>
      <div role="status">
        <Tested test={test} store={store} onAgain={onAgain} />
      </div>
      {isRead && (
        <section class="panel" aria-labelledby="messages">
          <header>
            <h2 id="messages">{t.messages}</h2>
          </header>
          <MessagesSetup store={store} secret={secret} />
        </section>
      )}
      <p>
        <LinkButton kind={isRead ? 'primary' : 'quiet'} href={`/console/stores/${storeId}`}>
          {isRead ? t.toStore : t.later}
        </LinkButton>
      </p>
    </>
  );
}

/** What the shop has answered, and what to do where it has not. */
function Tested({
  test,
  store,
  onAgain,
}: {
  readonly test: Loaded<StoreTest>;
  readonly store: Store;
  readonly onAgain: () => void;
}) {
  const t = connect();
  const [isEditing, setEditing] = useState(false);
  const reconnect = useAction(
    () => api.stores.disconnect(store.storeId),
    () => {
      invalidate(['stores', 'names']);
      onAgain();
    },
  );
  const { value, error, isLoading } = test;
  if (error !== undefined) return <LoadFailure error={error} retry={test.reload} />;
  if (value === undefined || isLoading)
    return (
      <>
        <p>{t.testing}</p>
        <Skeleton height={3} />
      </>
    );
  if (value.ok)
    return (
      <Notice kind="good" title={testSentence(store, value)}>
        {value.shop !== null && <p>{t.readByItself}</p>}
      </Notice>
    );
  return (
    <div class="stack">
      <Notice kind="alert" title={t.failed}>
        <p>{testSentence(store, value)}</p>
      </Notice>
      <div class="row">
        <Button kind="quiet" icon="pen" onClick={() => setEditing(true)}>
          {t.fix}
        </Button>
        <Button kind="quiet" icon="refresh" onClick={test.reload}>
          {t.retry}
        </Button>
        <Button kind="quiet" isBusy={reconnect.isBusy} onClick={() => reconnect.run()}>
          {t.startAgain}
        </Button>
      </div>
      {isEditing && (
        <EditStore
          store={store}
          done={() => {
            setEditing(false);
            test.reload();
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </div>
  );
}

/** Which step it is: of those that lie behind, and those to come, too. */
export function Steps({ at }: { readonly at: number }) {
  const t = connect();
  return (
    <ol class="progress-steps" aria-label={t.stepOf(at + 1)}>
      {t.steps.map((name, index) => (
        <li
          key={name}
          class={index < at ? 'done' : index === at ? 'next' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          <span class="mark">{index + 1}</span>
          {name}
        </li>
      ))}
    </ol>
  );
}

/** The heading of a step, which gets the focus when the step begins. */
export function StepHeading({
  children,
  isFirst = false,
}: {
  readonly children: string;
  readonly isFirst?: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!isFirst) heading.current?.focus();
  }, []);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
