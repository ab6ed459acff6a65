import { shared } from '../texts/shared.ts';

/** Where a request is shown with all that came of it; null where there is no such page. The app says so. */
let pageOf: (requestId: string) => string | null = () => null;
export function onRequestReference(page: (requestId: string) => string | null): void {
  pageOf = page;
}

/** What support needs to find a call, as a link where it can be looked at. */
export function RequestReference({ requestId }: { readonly requestId: string | null }) {
  if (requestId === null) return null;
  const href = pageOf(requestId);
  return (
    <p class="reference">
      {shared().request}{' '}
      {href === null ? (
        <code>{requestId}</code>
      ) : (
        <a href={href}>
          <code>{requestId}</code>
        </a>
      )}
    </p>
  );
}
