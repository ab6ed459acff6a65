import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fieldOf, requestIdOf, sentenceOf, UserMessage } from './api-error.ts';
import { Button } from './button.tsx';
import { attempt } from './data.ts';
import { faultIn } from './entry-faults.ts';
import { FormContext } from './form-context.ts';
import { Notice } from './notice.tsx';
import { RequestReference } from './request-reference.tsx';

/** What was filled in. */
export class Filled {
  readonly #data: FormData;

  constructor(data: FormData) {
    this.#data = data;
  }

  /** The text of a field, without spaces around it. */
  text(name: string): string {
    const value = this.#data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  }

  /** The same; null where the field is empty. */
  optional(name: string): string | null {
    return this.text(name) || null;
  }

  /** A whole number; null where the field is empty. */
  number(name: string): number | null {
    const text = this.text(name);
    return text === '' ? null : Number(text);
  }

  isChecked(name: string): boolean {
    return this.#data.get(name) !== null;
  }

  /** All that is ticked under a name. */
  all(name: string): string[] {
    return this.#data.getAll(name).filter((value) => typeof value === 'string');
  }

  file(name: string): File | null {
    const value = this.#data.get(name);
    return value instanceof File && value.size > 0 ? value : null;
  }
}

interface FormProps<R> {
  readonly submit: string;
  /** What the form does. What it raises is shown at the field that it is about, or above the fields. */
  readonly act: (filled: Filled) => Promise<R>;
  readonly done?: (result: R) => void;
  /** Next to the button: another button, such as one that cancels. */
  readonly secondary?: ComponentChildren;
  readonly kind?: 'primary' | 'quiet' | 'danger';
  readonly children?: ComponentChildren;
}

/** Fields and the button that sends them. What breaks a rule of its field is said there, before anything is sent. */
export function Form<R>({ submit, act, done, secondary, kind = 'primary', children }: FormProps<R>) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [field, setField] = useState<string | null>(null);

  useLayoutEffect(() => {
    if (field === null) return;
    // By its name: the field learns of its problem only after this.
    const wrong = form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(field)}"]`);
    const folded = wrong?.closest<HTMLDetailsElement>('details:not([open])');
    if (folded != null) folded.open = true;
    wrong?.focus();
  }, [field, error]);

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const element = form.current;
    if (element === null || isBusy) return;
    const fault = faultIn(element);
    if (fault !== null) {
      setField(fault === 'shown' ? null : fault.name);
      setError(fault === 'shown' ? undefined : new UserMessage(fault.sentence));
      return;
    }
    setBusy(true);
    setError(undefined);
    setField(null);
    const filled = new Filled(new FormData(element));
    try {
      const result = await attempt(() => act(filled));
      setBusy(false);
      done?.(result);
    } catch (failure) {
      const names = [...element.elements].map((one) => one.getAttribute('name') ?? '');
      setField(fieldOf(failure, names.filter(Boolean)));
      setError(failure);
      setBusy(false);
    }
  }

  const sentence = error === undefined ? undefined : sentenceOf(error, field);
  const requestId = requestIdOf(error);
  return (
    <FormContext.Provider value={{ problems: field === null ? {} : { [field]: sentence } }}>
      <form class="form" ref={form} onSubmit={send} noValidate>
        <div role="alert">
          {sentence !== undefined && field === null && (
            <Notice kind="alert" title={sentence}>
              <RequestReference requestId={requestId} />
            </Notice>
          )}
        </div>
        {children}
        <div class="end">
          <Button type="submit" kind={kind} isBusy={isBusy}>
            {submit}
          </Button>
          {secondary}
        </div>
      </form>
    </FormContext.Provider>
  );
}
