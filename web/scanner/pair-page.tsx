import { useEffect, useState } from 'preact/hooks';
import { TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { navigate } from '../shared/router.ts';
import { scanner } from '../texts/scanner.ts';
import { pairTill, till } from './who.ts';

/** Makes this browser a shared till. A QR code brings its code behind the #, which the browser does not send, so it is in no log. */
export function PairPage() {
  const t = scanner().pair;
  const [code] = useState(() => decodeURIComponent(location.hash.slice(1)));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return (
    <div class="narrow stack">
      <PageHeader
        title={t.title}
        lead={code === '' ? t.lead : t.scanned}
        back={{ href: '/scan', label: t.back }}
      />
      {till.value !== null && <p class="soft">{t.again(till.value.name)}</p>}
      <section class="panel">
        <Form
          submit={t.submit}
          act={(filled) => pairTill(filled.text('code'))}
          done={() => navigate('/scan', { replace: true })}
        >
          <TextField
            name="code"
            label={t.code}
            hint={t.hint}
            value={code}
            autocomplete="off"
            placeholder="7KQ4-MX2P"
            required
          />
        </Form>
      </section>
    </div>
  );
}
