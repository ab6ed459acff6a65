import { useContext, useId } from 'preact/hooks';
import { FormContext } from './form-context.ts';
import { Icon } from './icon.tsx';
import { reachByKeys } from './reach-by-keys.ts';

/** Several of a list, in groups where there are many; what is ticked is sent under one name (`Filled.all`). */
export function ChoicesField({
  name,
  label,
  hint,
  groups,
  chosen,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** By the title of a group, empty where it needs none: by what is sent, what is shown. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What is ticked to begin with. */
  readonly chosen: readonly string[];
}) {
  const id = useId();
  const problem = useContext(FormContext).problems[name];
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <fieldset class="field choices" aria-describedby={described === '' ? undefined : described}>
      <legend>{label}</legend>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          <Icon name="alert" size={18} />
          {problem}
        </p>
      )}
      <div class="choices-list" ref={reachByKeys}>
        {Object.entries(groups).map(([title, options]) => (
          <div key={title}>
            {title !== '' && <p class="soft small">{title}</p>}
            {Object.entries(options).map(([sent, shown]) => (
              <label key={sent}>
                <input
                  type="checkbox"
                  name={name}
                  value={sent}
                  defaultChecked={chosen.includes(sent)}
                  aria-invalid={problem === undefined ? undefined : 'true'}
                />
                <span dir="auto">{shown}</span>
              </label>
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
