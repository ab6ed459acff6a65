import { LinkButton } from '../shared/button.tsx';
import { Notice } from '../shared/notice.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { path } from '../shared/router.ts';
import { scanner } from '../texts/scanner.ts';
import { WaitingBar } from './offline/waiting-bar.tsx';
import { wasRevoked } from './who.ts';

/** What a browser shows that is no till, and in which no person is signed in. */
export function StartPage() {
  const t = scanner().start;
  return (
    <div class="narrow stack">
      <PageHeader title={t.title} lead={t.lead} />
      {wasRevoked.value && (
        <Notice kind="alert" title={t.revoked}>
          <p>{t.revokedText}</p>
        </Notice>
      )}
      <WaitingBar />
      <section class="panel stack" aria-labelledby="own">
        <h2 id="own">{t.own}</h2>
        <p class="soft">{t.ownText}</p>
        <LinkButton icon="people" href={`/sign-in?next=${encodeURIComponent(path.value)}`}>
          {t.signIn}
        </LinkButton>
      </section>
      <section class="panel stack" aria-labelledby="shared">
        <h2 id="shared">{t.shared}</h2>
        <p class="soft">{t.sharedText}</p>
        <LinkButton kind="quiet" icon="link" href="/scan/pair">
          {t.pair}
        </LinkButton>
      </section>
    </div>
  );
}
