import { LoadFailure } from '../shared/notice.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { shell } from '../texts/shell.ts';

/** In the place of everything, where not even who is signed in could be found out. */
export function StartFailure({ error }: { readonly error: unknown }) {
  return (
    <main class="content">
      <PageHeader title={shell().offline} />
      <LoadFailure error={error} retry={() => location.reload()} />
    </main>
  );
}
