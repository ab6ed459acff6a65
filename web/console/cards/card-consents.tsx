import { usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { formatMoment } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { cards } from '../../texts/cards.ts';
import { api } from '../api.ts';

/** What the holder of a card was asked to agree to, word for word, what they answered, and when; nothing where they were not asked. */
export function CardConsents({ instanceId }: { readonly instanceId: string }) {
  const t = cards().consents;
  const pages = usePages(['instances', instanceId, 'consents'], (options) =>
    api.instances.consents(instanceId, { limit: 20 }, options),
  );
  if ((pages.items?.length ?? 0) === 0) return null;
  return (
    <section class="stack" aria-labelledby="consents">
      <h2 id="consents">{t.title}</h2>
      <DataTable
        label={t.title}
        pages={pages}
        rowKey={({ key, createdAt }) => `${key} ${createdAt}`}
        empty={<EmptyState icon="check" title={t.title} />}
        columns={[
          {
            head: t.words,
            cell: ({ text, key }) => (
              <span class="who-has">
                <q dir="auto">{text}</q>
                <span class="soft small">{key}</span>
              </span>
            ),
          },
          {
            head: t.answer,
            kind: 'short',
            cell: ({ agreed }) => (
              <Badge {...(agreed && { kind: 'good' as const })}>{agreed ? t.agreed : t.declined}</Badge>
            ),
          },
          {
            head: cards().when,
            kind: 'short',
            cell: ({ createdAt }) => <span>{formatMoment(createdAt)}</span>,
          },
        ]}
      />
    </section>
  );
}
