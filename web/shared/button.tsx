import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  /** `primary` once on a page, for what it is about. */
  readonly kind?: 'primary' | 'quiet' | 'plain' | 'danger';
  readonly icon?: IconName;
  readonly children?: ComponentChildren;
}

interface ButtonProps extends Look {
  readonly onClick?: (event: MouseEvent) => void;
  readonly type?: 'button' | 'submit';
  /** What it began is under way: it cannot be pressed again, and keeps the focus. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Of a button that shows only an icon: its name. */
  readonly label?: string;
  readonly popovertarget?: string;
  /** The key that does the same, as `aria-keyshortcuts` writes it. */
  readonly keys?: string | undefined;
  /** Of a button that opens a part of the page: that part's id, and whether it is open. */
  readonly opens?: { readonly id: string; readonly isOpen: boolean };
}

export function Button({
  kind = 'primary',
  icon,
  children,
  onClick,
  type = 'button',
  isBusy = false,
  isDisabled = false,
  label,
  popovertarget,
  keys,
  opens,
}: ButtonProps) {
  const isOff = isBusy || isDisabled;
  return (
    <button
      type={type}
      class={`button ${kind} ${children === undefined ? 'square' : ''}`}
      aria-disabled={isOff ? 'true' : undefined}
      aria-busy={isBusy ? 'true' : undefined}
      aria-label={label}
      title={label}
      popovertarget={popovertarget}
      aria-keyshortcuts={keys}
      aria-expanded={opens?.isOpen}
      aria-controls={opens?.id}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon && <Icon name={icon} size={18} />}
      {children}
      {keys !== undefined && (
        <span class="key" aria-hidden="true">
          {keys}
        </span>
      )}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  kind = 'primary',
  icon,
  children,
  href,
  download,
  isElsewhere = false,
}: Look & {
  readonly href: string;
  readonly download?: string;
  /** Another site, which opens in a tab of its own. */
  readonly isElsewhere?: boolean;
}) {
  return (
    <a
      class={`button ${kind}`}
      href={href}
      download={download}
      {...(isElsewhere && { target: '_blank', rel: 'noreferrer' })}
    >
      {icon && <Icon name={icon} size={18} />}
      {children}
    </a>
  );
}
