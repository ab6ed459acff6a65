import { useState } from 'preact/hooks';
import { newKey } from '../../../sdk/typescript/src/core/options.ts';
import type { Instance, Pass } from '../../../sdk/typescript/src/types.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import type { Filled } from '../../shared/form.tsx';
import { Form } from '../../shared/form.tsx';
import { Notice } from '../../shared/notice.tsx';
import { navigate } from '../../shared/router.ts';
import { toast } from '../../shared/toast.tsx';
import { cards } from '../../texts/cards.ts';
import { api } from '../api.ts';
import { nameOf } from './holder-name.ts';

/** A card by hand; who has one already gets that one shown. */
export function NewCard({ pass, onClose }: { readonly pass: Pass; readonly onClose: () => void }) {
  const t = cards();
  // Sent again, it is the same card.
  const [externalRef] = useState(newKey);
  const [twins, setTwins] = useState<readonly Instance[]>([]);
  return (
    <Dialog title={t.createIn(pass.title)} onClose={onClose}>
      <Form
        submit={twins.length === 0 ? t.issue : t.issueAnyway}
        act={async (filled) => {
          const holder = filledHolder(filled);
          const found = twins.length === 0 ? await cardsOf(pass.passId, holder) : [];
          setTwins(found);
          return found.length > 0 ? null : api.instances.issue(pass.passId, { externalRef, holder });
        }}
        done={(card) => {
          if (card === null) return;
          toast(card.$response.status === 201 ? t.issued : t.known);
          navigate(`/console/cards/${card.instanceId}`);
        }}
        secondary={<CancelButton onClose={onClose} />}
      >
        <HolderFields />
        {twins.length > 0 && (
          <Notice title={t.twins}>
            <ul>
              {twins.map((card) => (
                <li key={card.instanceId}>
                  <a href={`/console/cards/${card.instanceId}`} dir="auto">
                    {nameOf(card)}
                  </a>
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </Form>
    </Dialog>
  );
}

/** The cards of a pass that people have who are reached the same way; a customer number is one person's by itself. */
async function cardsOf(
  passId: string,
  { email, phone }: ReturnType<typeof filledHolder>,
): Promise<Instance[]> {
  const ways = [...(email ? [{ email }] : []), ...(phone ? [{ phone }] : [])];
  const people = await Promise.all(ways.map((way) => api.holders.list({ limit: 10, ...way }).page()));
  const found = people.flatMap(({ data }) => data.flatMap((person) => person.cards));
  return [
    ...new Map(
      found
        .filter((card) => card.passId === passId && card.status === 'active')
        .map((card) => [card.instanceId, card]),
    ).values(),
  ];
}

type HolderValues = Readonly<Partial<Record<'name' | 'email' | 'phone' | 'identifier', string | null>>>;

/** What is known of a holder. */
export function HolderFields({ of = {} }: { readonly of?: HolderValues }) {
  const t = cards();
  const known = (name: keyof HolderValues) => (of[name] ? { value: of[name] } : {});
  return (
    <>
      <TextField name="holder.name" label={t.name} maxLength={120} autocomplete="off" {...known('name')} />
      <TextField
        name="holder.email"
        label={t.email}
        type="email"
        maxLength={254}
        autocomplete="off"
        {...known('email')}
      />
      <TextField
        name="holder.phone"
        label={t.phone}
        hint={t.phoneHint}
        type="tel"
        maxLength={40}
        autocomplete="off"
        {...known('phone')}
      />
      <TextField
        name="holder.identifier"
        label={t.identifier}
        hint={t.identifierHint}
        maxLength={255}
        autocomplete="off"
        {...known('identifier')}
      />
    </>
  );
}

/** The holder that a form describes. */
export function filledHolder(filled: Filled) {
  return {
    name: filled.optional('holder.name'),
    email: filled.optional('holder.email'),
    phone: filled.optional('holder.phone'),
    identifier: filled.optional('holder.identifier'),
  };
}
