import { useState } from 'preact/hooks';
import type { Workspace } from '../../../../sdk/typescript/src/types.ts';
import { invalidate, useCached } from '../../../shared/cached.ts';
import { SelectField, TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { LoadedView } from '../../../shared/loaded-view.tsx';
import { changeMembership } from '../../../shared/session.ts';
import { settings } from '../../../texts/settings.ts';
import { start } from '../../../texts/start.ts';
import { api } from '../../api.ts';
import {
  countryChoices,
  currencyChoices,
  currencyOf,
  languageChoices,
  ownZone,
} from '../../settings/region-choices.ts';
import type { StepProps } from './start-draft.ts';

/** What the first start calls a workspace. */
const namelessWorkspace = 'Default';

/** Who the cards are of, and where. */
export function BusinessStep({ goOn }: StepProps) {
  const loaded = useCached(['workspace'], (options) => api.workspace.get(options));
  return (
    <LoadedView of={loaded} lines={4} height={4}>
      {(workspace) => <Business of={workspace} goOn={goOn} />}
    </LoadedView>
  );
}

function Business({ of, goOn }: { readonly of: Workspace; readonly goOn: () => void }) {
  const t = start();
  const isNew = of.name === namelessWorkspace;
  const [country, setCountry] = useState(() => of.country ?? (isNew ? countryHere() : ''));
  const currency = isNew ? currencyOf(country) : of.currency;
  return (
    <Form
      submit={t.goOn}
      act={(filled) =>
        api.workspace.update({
          name: filled.text('name'),
          country: filled.optional('country'),
          locale: filled.text('locale'),
          currency: filled.text('currency'),
          // It is that of a new workspace: days begin as they do here.
          ...(of.timezone === 'UTC' && { timezone: ownZone() }),
        })
      }
      done={({ name }) => {
        invalidate(['workspace']);
        changeMembership({ name });
        goOn();
      }}
    >
      <TextField
        name="name"
        label={t.business.shop}
        hint={t.business.shopHint}
        value={isNew ? '' : of.name}
        required
        maxLength={120}
        autocomplete="organization"
      />
      <SelectField
        name="country"
        label={t.business.country}
        hint={t.business.countryHint}
        options={{ '': settings().workspace.noCountry, ...countryChoices() }}
        value={country}
        onChange={setCountry}
      />
      <SelectField
        name="locale"
        label={t.business.locale}
        options={languageChoices(of.locale)}
        value={isNew ? languageHere() : of.locale}
      />
      <SelectField
        key={currency}
        name="currency"
        label={t.business.currency}
        options={currencyChoices(currency)}
        value={currency}
      />
    </Form>
  );
}

/** Where this browser seems to be; empty where it does not say. */
function countryHere(): string {
  const { region } = new Intl.Locale(navigator.language);
  return region !== undefined && region in countryChoices() ? region : '';
}

function languageHere(): string {
  const { language } = new Intl.Locale(navigator.language);
  return language in languageChoices('en') ? language : 'en';
}
