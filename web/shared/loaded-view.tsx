import type { ComponentChildren } from 'preact';
import type { Loaded } from './data.ts';
import { LoadFailure, Skeleton } from './notice.tsx';

/** Shows what was loaded as soon as it is there; until then room for it, and what went wrong with a way to try again. */
export function LoadedView<T>({
  of,
  lines = 3,
  height = 3,
  children,
}: {
  readonly of: Loaded<T>;
  readonly lines?: number;
  readonly height?: number;
  readonly children: (value: T) => ComponentChildren;
}) {
  if (of.value !== undefined) return <>{children(of.value)}</>;
  if (of.error !== undefined) return <LoadFailure error={of.error} retry={of.reload} />;
  return <Skeleton lines={lines} height={height} />;
}
