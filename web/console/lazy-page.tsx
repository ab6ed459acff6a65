import { type ComponentType, Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LoadFailure, Skeleton } from '../shared/notice.tsx';
import type { Page, PageProps } from './page.ts';

/** Pages that were opened before are there at once. */
const known = new Map<Page, ComponentType<PageProps>>();

/** A page that is loaded when it is drawn first. */
export function LazyPage({ page, params }: { readonly page: Page } & PageProps) {
  const [Loaded, setLoaded] = useState(() => known.get(page));
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    page.load().then(
      (component) => {
        known.set(page, component);
        setLoaded(() => component);
      },
      (failure: unknown) => setError(failure),
    );
  };
  useEffect(() => {
    if (Loaded === undefined) load();
  }, []);
  if (Loaded !== undefined) return <Loaded params={params} />;
  // A file that is gone since: the service was upgraded, and the page begins anew.
  if (error !== undefined) return <LoadFailure error={error} retry={() => location.reload()} />;
  return (
    <Fragment>
      <Skeleton height={2.25} />
      <br />
      <Skeleton lines={2} height={8} />
    </Fragment>
  );
}
