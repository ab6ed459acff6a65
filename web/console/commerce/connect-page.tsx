import { useState } from 'preact/hooks';
import type { Store } from '../../../sdk/typescript/src/types.ts';
import { invalidate } from '../../shared/cached.ts';
import { CheckField, SelectField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query } from '../../shared/router.ts';
import { connect } from '../../texts/connect.ts';
import { stores } from '../../texts/stores.ts';
import { api } from '../api.ts';
import { passOptions, usePasses } from '../passes/use-passes.ts';
import { Connected, type Made, StepHeading, Steps } from './connected-store.tsx';
import {
  AccessFields,
  ConsentFields,
  filledStore,
  newSecret,
  type Platform,
  platforms,
  type Typed,
} from './store-fields.tsx';

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
