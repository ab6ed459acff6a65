import { invalidate } from '../../../shared/cached.ts';
import { CheckField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { Icon } from '../../../shared/icon.tsx';
import { navigate } from '../../../shared/router.ts';
import { membership } from '../../../shared/session.ts';
import { start } from '../../../texts/start.ts';
import { ObstacleNotice } from '../../obstacle-notice.tsx';
import { type Opened, openForCustomers, type StepProps } from './start-draft.ts';

/** Says what opening does, and does it. */
export function OpenStep({ draft, opened }: StepProps & { readonly opened: Opened }) {
  const t = start().open;
  const shop = membership.value?.name ?? '';
  return (
    <Form
      submit={t.submit}
      act={(filled) => openForCustomers(draft, filled.isChecked('news') ? t.newsText(shop) : null, opened)}
      done={(passId) => {
        invalidate(['passes', 'programs', 'names', 'home']);
        navigate(`/console/start/${passId}`, { replace: true });
      }}
    >
      <h2>{t.what}</h2>
      <ul class="start-points">
        {t.points(draft.title.trim()).map((point) => (
          <li key={point}>
            <Icon name="check" size={18} />
            {point}
          </li>
        ))}
      </ul>
      <CheckField name="news" label={t.news} hint={t.newsHint} />
      <ObstacleNotice />
    </Form>
  );
}
