import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { DesignPreview } from '../../../../sdk/typescript/src/types.ts';
import { Icon } from '../../../shared/icon.tsx';
import { designer } from '../../../texts/designer.ts';

/** What wallets would not show as one may expect. */
export const Warnings = createContext<DesignPreview['warnings']>([]);

/** The warnings about a property, below it. */
export function Cautions({ about }: { readonly about: string }) {
  const { warnings } = designer();
  const found = useContext(Warnings).filter(({ param }) => param === about);
  return (
    <>
      {found.map(({ code, message }) => (
        <p class="caution small" key={code}>
          <Icon name="alert" size={16} />
          {(warnings as Readonly<Record<string, string | undefined>>)[code] ?? message}
        </p>
      ))}
    </>
  );
}
