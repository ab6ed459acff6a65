import type { ComponentType } from 'preact';
import type { IconName } from '../shared/icon.tsx';
import type { Need } from '../shared/session.ts';

/** What a page is given: the parts of its address that its pattern names. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}

/** One line of an area's `pages.ts`. */
export interface Page {
  /** Such as `/console/cards/:instanceId`. */
  readonly path: string;
  /** Who sees it; `read` by default. */
  readonly need?: Need;
  /** Its place in the navigation. */
  readonly nav?: {
    readonly icon: IconName;
    readonly label: () => string;
    /** Whether it is shown now; always by default. */
    readonly isShown?: () => boolean;
  };
  /** Loads it, with what it needs, when it is opened. */
  readonly load: () => Promise<ComponentType<PageProps>>;
}
