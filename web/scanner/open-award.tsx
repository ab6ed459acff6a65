import type { Posting } from '../../sdk/typescript/src/types.ts';
import { Button } from '../shared/button.tsx';
import { useAction } from '../shared/data.ts';
import { formatNumber } from '../shared/format.ts';
import { Notice } from '../shared/notice.tsx';
import { toast } from '../shared/toast.tsx';
import { scanner } from '../texts/scanner.ts';
import { type Award, dropAward, sendAward } from './awards.ts';

/** An award that was sent and not answered: it is sent again, or forgotten. */
export function OpenAward({
  award,
  done,
}: {
  readonly award: Award;
  readonly done?: (posting: Posting) => void;
}) {
  const t = scanner().open;
  const again = useAction(sendAward, (posting) => {
    if (done !== undefined) return done(posting);
    toast(t.done(formatNumber(posting.points), award.label, formatNumber(posting.balance)));
  });
  return (
    <Notice title={t.title(formatNumber(award.points), award.label)}>
      <p>{t.text}</p>
      <div class="row">
        <Button isBusy={again.isBusy} onClick={() => again.run(award)}>
          {t.again}
        </Button>
        <Button kind="quiet" onClick={() => dropAward(award)}>
          {t.drop}
        </Button>
      </div>
    </Notice>
  );
}
