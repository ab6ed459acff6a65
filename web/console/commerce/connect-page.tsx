import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Store, StoreTest } from '../../../sdk/typescript/src/types.ts';
import { Button, LinkButton } from '../../shared/button.tsx';
import { invalidate, useCached } from '../../shared/cached.ts';
import { type Loaded, useAction } from '../../shared/data.ts';
import { CheckField, SelectField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { LoadFailure, Notice, Skeleton } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query } from '../../shared/router.ts';
import { connect } from '../../texts/connect.ts';
import { stores } from '../../texts/stores.ts';
import { api } from '../api.ts';
import { passOptions, usePasses } from '../passes/use-passes.ts';
import { MessagesSetup } from './messages-setup.tsx';
import { EditStore } from './store-actions.tsx';
import {
  AccessFields,
  ConsentFields,
  filledStore,
  newSecret,
  type Platform,
  platforms,
  type Typed,
} from './store-fields.tsx';
import { testSentence } from './store-state.tsx';

/** A store that was connected on this page, with the secret that cannot be read back later. */
interface Made {
  readonly store: Store;
  readonly secret: string;
}

/** Connecting a store in three steps. The kind of shop is part of the address. */
export function ConnectPage() {
  const t = connect();
  const platform = platforms.find((one) => one === query.value.get('platform'));
  const [made, setMade] = useState<Made | null>(null);
  const [typed, setTyped] = useState<Typed>({ domain: query.value.get('domain') ?? '' });
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} back={{ href: '/console/stores', label: stores().back }} />
      <div class="stack">
        {made !== null ? (
          <Connected made={made} onAgain={() => setMade(null)} />
        ) : platform === undefined ? (
          <>
            <Steps at={0} />
            <Kinds />
          </>
        ) : (
          <>
            <Steps at={1} />
            <Access
              key={platform}
              platform={platform}
              typed={typed}
              done={(store, filled) => {
                setTyped(filled);
                setMade({ store, secret: filled.webhookSecret ?? '' });
              }}
            />
          </>
        )}
      </div>
    </>
  );
}

/** Which step it is: of those that lie behind, and those to come, too. */
function Steps({ at }: { readonly at: number }) {
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
function StepHeading({
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

function Kinds() {
  const t = connect();
  const names = stores().platforms;
  return (
    <>
      <StepHeading isFirst>{t.which}</StepHeading>
      <ul class="kinds">
        {platforms.map((platform) => (
          <li key={platform} class="panel">
            <h3>
              <a href={`/console/stores/connect?platform=${platform}`}>{names[platform]}</a>
            </h3>
            <p class="soft">{t.kinds[platform]}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

function Access({
  platform,
  typed,
  done,
}: {
  readonly platform: Platform;
  readonly typed: Typed;
  readonly done: (store: Store, typed: Typed) => void;
}) {
  const t = connect();
  const passes = usePasses();
  const options = passOptions(passes);
  const [secret] = useState(() => (platform === 'shopify' ? '' : newSecret()));
  return (
    <>
      <StepHeading>{t.accessOf[platform]}</StepHeading>
      <div class="guided">
        <div class="stack">
          <ol class="numbered">
            {t.how[platform].map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {platform === 'shopify' && <p class="soft small">{t.shopifyNew}</p>}
          <p>
            <a href="/console/stores/connect">{t.other}</a>
          </p>
        </div>
        <div class="panel">
          <Form
            submit={t.submit}
            act={async (filled) => ({
              store: await api.stores.connect(filledStore(platform, filled)),
              typed: Object.fromEntries(names.map((name) => [name, filled.text(name)])),
            })}
            done={(made) => {
              invalidate(['stores', 'names']);
              done(made.store, made.typed);
            }}
          >
            <TextField
              name="domain"
              label={t.domain}
              hint={t.domainHint[platform]}
              value={typed.domain ?? ''}
              required
              maxLength={255}
              autocomplete="off"
            />
            <AccessFields platform={platform} typed={typed} required />
            <TextField
              name="webhookSecret"
              label={t.webhookSecret}
              hint={t.webhookSecretHint[platform]}
              value={typed.webhookSecret ?? secret}
              required
              minLength={16}
              maxLength={255}
              autocomplete="off"
            />
            <SelectField
              key={passes.length}
              name="passId"
              label={t.pass}
              hint={t.passHint}
              options={{ ...options, '': stores().noPass }}
              value={Object.keys(options)[0] ?? ''}
            />
            <ConsentFields platform={platform} />
            <CheckField name="followsEdits" label={t.followsEdits} />
          </Form>
        </div>
      </div>
    </>
  );
}

const names = [
  'domain',
  'credentials.accessToken',
  'credentials.consumerKey',
  'credentials.consumerSecret',
  'webhookSecret',
];

function Connected({ made, onAgain }: { readonly made: Made; readonly onAgain: () => void }) {
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
