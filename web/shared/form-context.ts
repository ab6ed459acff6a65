import { createContext } from 'preact';

/** What a form passes to its fields. */
export const FormContext = createContext<{
  /** By the name of the field: what is wrong with it. */
  readonly problems: Readonly<Record<string, string | undefined>>;
}>({ problems: {} });
