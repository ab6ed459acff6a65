import { useState } from 'preact/hooks';
import { ChoicesField } from '../../shared/choices-field.tsx';
import { SelectField } from '../../shared/field.tsx';
import type { Filled } from '../../shared/form.tsx';
import { developers } from '../../texts/developers.ts';
import { useLoadedPasses } from '../passes/use-passes.ts';

/** So many passes a key or a webhook may name. */
const most = 100;

/** Which passes something reaches: all, or some of them. `passesIn` reads it. */
export function PassChoice({ passIds }: { readonly passIds: readonly string[] | null }) {
  const t = developers().passes;
  const [isSome, setSome] = useState(passIds !== null);
  const passes = useLoadedPasses();
  const titles = Object.fromEntries([
    ...(passIds ?? []).map((passId) => [passId, passId]),
    ...(passes.value ?? []).map(({ passId, title }) => [passId, title]),
  ]);
  return (
    <>
      <SelectField
        name="reach"
        label={t.label}
        options={{ all: t.all, some: t.some }}
        value={isSome ? 'some' : 'all'}
        onChange={(value) => setSome(value === 'some')}
      />
      {isSome && (
        <ChoicesField
          // Ticked anew once the titles are there.
          key={passes.value === undefined ? 'loading' : 'there'}
          name="passIds"
          label={t.which}
          hint={t.most(String(most))}
          groups={{ '': titles }}
          chosen={passIds ?? []}
        />
      )}
    </>
  );
}

/** Null for all. An empty list is refused by the API, at the field. */
export function passesIn(filled: Filled): string[] | null {
  return filled.text('reach') === 'some' ? filled.all('passIds') : null;
}
