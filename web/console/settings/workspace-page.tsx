import { useState } from 'preact/hooks';
import type { Workspace } from '../../../sdk/typescript/src/types.ts';
import { useCached } from '../../shared/cached.ts';
import { Field, SelectField, TextArea, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatDate, formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { changeMembership, may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { settings } from '../../texts/settings.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { groundOf } from '../passes/designer/colors-section.tsx';
import { countryChoices, currencyChoices, languageChoices, ownZone, zoneChoices } from './region-choices.ts';
import { SettingsTabs } from './settings-tabs.tsx';

export function WorkspacePage() {
  const t = settings().workspace;
  const loaded = useCached(['workspace'], (options) => api.workspace.get(options));
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        <SettingsTabs />
      </PageHeader>
      <LoadedView of={loaded} lines={4} height={4}>
        {(workspace) => (
          <div class="stack">
            <section class="panel">
              {may('write') ? (
                <Settings of={workspace} onSaved={loaded.set} />
              ) : (
                <Notice title={t.readOnly} />
              )}
            </section>
            <Facts of={workspace} />
          </div>
        )}
      </LoadedView>
    </>
  );
}

const colorName = 'defaults.colors.background';

function Settings({
  of,
  onSaved,
}: {
  readonly of: Workspace;
  readonly onSaved: (saved: Awaited<ReturnType<typeof api.workspace.get>>) => void;
}) {
  const t = settings().workspace;
  const [zone, setZone] = useState(of.timezone);
  const own = ownZone();
  const shownColor = groundOf({ background: of.defaults.colors?.background ?? null });
  return (
    <Form
      submit={shared().save}
      act={(filled) =>
        api.workspace.update({
          name: filled.text('name'),
          timezone: filled.text('timezone'),
          locale: filled.text('locale'),
          currency: filled.text('currency'),
          country: filled.optional('country'),
          defaults: {
            ...of.defaults,
            terms: filled.optional('defaults.terms'),
            ...(filled.text(colorName) !== shownColor && {
              colors: { background: filled.text(colorName), foreground: null, label: null },
            }),
          },
        })
      }
      done={(saved) => {
        onSaved(saved);
        changeMembership({ name: saved.name, color: saved.defaults.colors?.background ?? null });
        toast(shared().saved);
      }}
    >
      <TextField name="name" label={t.name} hint={t.nameHint} value={of.name} required maxLength={120} />
      <SelectField
        key={zone}
        name="timezone"
        label={t.timezone}
        hint={
          <>
            {t.timezoneHint}{' '}
            {zone !== own && (
              <button type="button" class="link" onClick={() => setZone(own)}>
                {t.ownZone(own.replaceAll('_', ' '))}
              </button>
            )}
          </>
        }
        options={zoneChoices(of.timezone)}
        value={zone}
        onChange={setZone}
      />
      <SelectField
        name="country"
        label={t.country}
        hint={t.countryHint}
        options={{ '': t.noCountry, ...countryChoices() }}
        value={of.country ?? ''}
      />
      <SelectField
        name="locale"
        label={t.locale}
        hint={t.localeHint}
        options={languageChoices(of.locale)}
        value={of.locale}
      />
      <SelectField
        name="currency"
        label={t.currency}
        options={currencyChoices(of.currency)}
        value={of.currency}
      />
      <Field name={colorName} label={t.color} hint={t.colorHint}>
        {(wiring) => <input {...wiring} type="color" defaultValue={shownColor} />}
      </Field>
      <TextArea
        name="defaults.terms"
        label={t.terms}
        hint={t.termsHint}
        value={of.defaults.terms ?? ''}
        maxLength={5_000}
      />
    </Form>
  );
}

function Facts({ of }: { readonly of: Workspace }) {
  const t = settings().workspace;
  return (
    <section class="panel">
      <header>
        <h2>{t.facts}</h2>
      </header>
      <dl class="facts">
        <div>
          <dt>{t.plan}</dt>
          <dd>{t.plans[of.plan]}</dd>
        </div>
        <div>
          <dt>{t.credits}</dt>
          <dd class="number">{formatNumber(of.credits)}</dd>
        </div>
        <div>
          <dt>{t.createdAt}</dt>
          <dd>{formatDate(of.createdAt)}</dd>
        </div>
        <div>
          <dt>{t.id}</dt>
          <dd>
            <code>{of.workspaceId}</code>
          </dd>
        </div>
      </dl>
    </section>
  );
}
