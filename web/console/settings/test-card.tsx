import { useState } from 'preact/hooks';
import type { Instance } from '../../../sdk/typescript/src/types.ts';
import { Button, LinkButton } from '../../shared/button.tsx';
import { useCached } from '../../shared/cached.ts';
import { useAction, useLooking } from '../../shared/data.ts';
import { SelectField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { QrPicture } from '../../shared/qr-picture.tsx';
import { toast } from '../../shared/toast.tsx';
import { wallets } from '../../texts/wallets.ts';
import { api } from '../api.ts';
import { useLoadedPasses } from '../passes/use-passes.ts';

type Wallet = 'apple' | 'google';

/** A card for one's own phone, and whether it has arrived in the wallet there. */
export function TestCard({ wallet }: { readonly wallet: Wallet }) {
  const t = wallets().test;
  const passes = useLoadedPasses();
  const [instanceId, setInstanceId] = useState<string | null>(null);
  if (instanceId !== null)
    return <Made instanceId={instanceId} wallet={wallet} onDiscarded={() => setInstanceId(null)} />;
  return (
    <LoadedView of={passes} lines={1} height={5}>
      {(all) => {
        const published = all.filter(({ status }) => status === 'published');
        if (published.length === 0)
          return (
            <div class="row">
              <p>{t.noPasses}</p>
              <LinkButton kind="quiet" href="/console/passes">
                {t.toPasses}
              </LinkButton>
            </div>
          );
        return (
          <Form
            submit={t.make}
            act={(filled) => api.instances.issue(filled.text('passId'), { holder: { name: t.holder } })}
            done={(card) => setInstanceId(card.instanceId)}
          >
            <p>{t.text}</p>
            <SelectField
              name="passId"
              label={t.pass}
              options={Object.fromEntries(published.map(({ passId, title }) => [passId, title]))}
            />
          </Form>
        );
      }}
    </LoadedView>
  );
}

function Made({
  instanceId,
  wallet,
  onDiscarded,
}: {
  readonly instanceId: string;
  readonly wallet: Wallet;
  readonly onDiscarded: () => void;
}) {
  const t = wallets().test;
  const card = useCached(['instances', instanceId], (options) => api.instances.get(instanceId, options));
  const isThere = (card.value?.wallets[wallet] ?? 0) > 0;
  useLooking(!isThere, card.reload);
  const discard = useAction(
    () => api.instances.void(instanceId),
    () => {
      toast(t.discarded);
      onDiscarded();
    },
  );
  return (
    <LoadedView of={card} lines={1} height={12}>
      {(value) => (
        <>
          <Link of={value} />
          <div role="status">
            {isThere ? (
              <Notice kind="good" title={t.inWallet(wallets()[wallet])} />
            ) : (
              <p class="soft">{t.waiting}</p>
            )}
          </div>
          <div class="row">
            <LinkButton kind="quiet" href={`/console/cards/${instanceId}`}>
              {t.card}
            </LinkButton>
            <Button kind="plain" isBusy={discard.isBusy} onClick={() => discard.run()}>
              {t.discard}
            </Button>
          </div>
        </>
      )}
    </LoadedView>
  );
}

function Link({ of: { links } }: { readonly of: Instance }) {
  const t = wallets().test;
  return (
    <>
      <QrPicture src={`${new URL(links.add).pathname}/qr.svg`} alt={t.qr} name={t.file} />
      <p>
        <a href={links.add} target="_blank" rel="noreferrer">
          {t.open}
        </a>
      </p>
    </>
  );
}
