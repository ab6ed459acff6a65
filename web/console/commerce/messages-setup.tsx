import type { Store } from '../../../sdk/typescript/src/types.ts';
import { CopyField } from '../../shared/copy-field.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { toast } from '../../shared/toast.tsx';
import { connect } from '../../texts/connect.ts';
import { api } from '../api.ts';

/** How a store is set up to report its orders at once, step by step; with its secret where that is still known. */
export function MessagesSetup({
  store,
  secret = null,
}: {
  readonly store: Store;
  readonly secret?: string | null;
}) {
  const t = connect();
  const { platform, webhookUrl, webhookTopics } = store;
  const topics = webhookTopics.filter((topic) => platform === 'custom' || t.topicNames[topic] !== undefined);
  return (
    <div class="stack setup">
      <ol class="numbered">
        {t.messagesOf[platform].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div>
        <h3>{t.topics}</h3>
        <ul class="bullets">
          {topics.map((topic) => (
            <li key={topic}>{t.topicNames[topic] ?? topic}</li>
          ))}
        </ul>
      </div>
      <div>
        <h3>{t.url}</h3>
        <CopyField label={t.url} text={webhookUrl} />
      </div>
      {platform === 'shopify' ? (
        <>
          <ShownSecret storeId={store.storeId} />
          <details>
            <summary>{t.byApp}</summary>
            <pre class="block code">{appConfiguration(store)}</pre>
          </details>
        </>
      ) : secret === null ? (
        <p class="soft small">{t.secretGone}</p>
      ) : (
        <div>
          <h3>{t.secret}</h3>
          <CopyField label={t.secret} text={secret} />
        </div>
      )}
    </div>
  );
}

/** Webhooks that are made by hand are signed with a secret of the shop's own. */
function ShownSecret({ storeId }: { readonly storeId: string }) {
  const t = connect();
  return (
    <Form
      submit={t.saveSecret}
      kind="quiet"
      act={(filled) => api.stores.update(storeId, { webhookSecret: filled.text('webhookSecret') })}
      done={() => toast(t.secretSaved)}
    >
      <TextField
        name="webhookSecret"
        label={t.shownSecret}
        required
        minLength={16}
        maxLength={255}
        autocomplete="off"
      />
    </Form>
  );
}

function appConfiguration({ webhookUrl, webhookTopics }: Store): string {
  const isOfPrivacy = (topic: string) => /^(?:customers|shop)\//.test(topic);
  const list = (topics: readonly string[]) => topics.map((topic) => JSON.stringify(topic)).join(', ');
  return `[webhooks]
api_version = "2026-10"

[[webhooks.subscriptions]]
topics = [${list(webhookTopics.filter((topic) => !isOfPrivacy(topic)))}]
compliance_topics = [${list(webhookTopics.filter(isOfPrivacy))}]
uri = ${JSON.stringify(webhookUrl)}`;
}
