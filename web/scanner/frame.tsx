import { PageHeader } from '../shared/page-header.tsx';
import { Toasts } from '../shared/toast.tsx';
import { scanner } from '../texts/scanner.ts';

/** The frame around all pages of the scanner. */
export function Frame() {
  const t = scanner();
  return (
    <>
      <main class="content" id="content" tabIndex={-1}>
        <PageHeader title={t.title} />
      </main>
      <Toasts />
    </>
  );
}
