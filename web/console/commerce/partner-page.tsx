import { useId, useState } from 'preact/hooks';
import type { Partner, Person } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, useCached } from '../../shared/cached.ts';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { formatDate } from '../../shared/format.ts';
import { Icon } from '../../shared/icon.tsx';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Menu } from '../../shared/menu.tsx';
import { Badge } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { navigate } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { partners } from '../../texts/partners.ts';
import { shell } from '../../texts/shell.ts';
import { api } from '../api.ts';
import type { PageProps } from '../page.ts';
import { pointText } from '../read-places.ts';
import { PartnerDialog } from './partner-dialog.tsx';
import { PartnerStatement } from './partner-statement.tsx';

/** One partner: what it has given out and redeemed month by month, and who works for it. */
export function PartnerPage({ params: { partnerId = '' } }: PageProps) {
  const t = partners();
  const partner = useCached(['partners', partnerId], (options) => api.partners.get(partnerId, options));
  const { value } = partner;
  return (
    <>
      <PageHeader
        title={value?.name ?? t.partner}
        back={{ href: '/console/partners', label: t.back }}
        actions={
          value !== undefined &&
          may('write') && <Actions partner={value} onChange={() => invalidate(['partners'])} />
        }
      />
      <LoadedView of={partner} lines={2} height={10}>
        {(loaded) => (
          <div class="card-page early">
            <PartnerStatement partner={loaded} />
            <div class="stack">
              <Facts of={loaded} />
              <Staff partnerId={loaded.partnerId} />
            </div>
          </div>
        )}
      </LoadedView>
    </>
  );
}

function Facts({ of: { partnerId, externalId, location, metadata, createdAt } }: { readonly of: Partner }) {
  const t = partners();
  const more = Object.entries(metadata).map(([key, value]) => [key, String(value ?? '')] as const);
  const facts: readonly (readonly [string, string])[] = [
    ...(externalId === null ? [] : [[t.externalId, externalId] as const]),
    ...(location === null ? [] : [[t.location, pointText(location)] as const]),
    ...more,
    [t.since, formatDate(createdAt)],
    [t.id, partnerId],
  ];
  return (
    <section class="panel" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.facts}</h2>
      </header>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Who is bound to the partner; the API lists people of a workspace, which are few. */
function Staff({ partnerId }: { readonly partnerId: string }) {
  const t = partners();
  const people = useCached(['people', { partnerId }], async (options) => {
    const bound: Person[] = [];
    for await (const person of api.people.list({ limit: 100 }, options))
      if (person.partnerId === partnerId) bound.push(person);
    return bound;
  });
  return (
    <section class="panel" aria-labelledby="staff">
      <header>
        <h2 id="staff">{t.staff}</h2>
        <a href="/console/settings/people">{t.people}</a>
      </header>
      <LoadedView of={people} lines={1}>
        {(bound) =>
          bound.length === 0 ? (
            <p class="soft">{t.noStaff}</p>
          ) : (
            <div class="stack">
              <p class="soft small">{t.staffLead}</p>
              <ul class="named">
                {bound.map(({ personId, name, role }) => (
                  <li key={personId} class="row">
                    <span dir="auto">{name}</span>
                    <Badge>{shell().roles[role]}</Badge>
                  </li>
                ))}
              </ul>
            </div>
          )
        }
      </LoadedView>
    </section>
  );
}

function Actions({ partner, onChange }: { readonly partner: Partner; readonly onChange: () => void }) {
  const t = partners();
  const menu = `partner-${useId()}`;
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const onClose = () => setAsked(null);
  return (
    <>
      <Button kind="quiet" icon="pen" onClick={() => setAsked('edit')}>
        {t.edit}
      </Button>
      <Button kind="quiet" icon="more" label={t.more} popovertarget={menu} />
      <Menu id={menu}>
        <button type="button" onClick={() => setAsked('delete')}>
          <Icon name="trash" size={18} />
          {t.delete}
        </button>
      </Menu>
      {asked === 'edit' && (
        <PartnerDialog
          partner={partner}
          done={() => {
            setAsked(null);
            toast(t.changed);
            onChange();
          }}
          onClose={onClose}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={t.deleteOf(partner.name)}
          confirm={t.delete}
          act={() => api.partners.delete(partner.partnerId)}
          done={() => {
            toast(t.deleted);
            invalidate(['partners', 'names']);
            navigate('/console/partners');
          }}
          onClose={onClose}
        >
          <ul class="bullets">
            {t.deleteText.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </>
  );
}
