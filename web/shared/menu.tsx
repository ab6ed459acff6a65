import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A menu below or above its button, which names it by `popovertarget`. Choosing something closes it. */
export function Menu({ id, children }: { readonly id: string; readonly children: ComponentChildren }) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    const place = (event: Event) => {
      if ((event as ToggleEvent).newState !== 'open' || element === null) return;
      const buttons = [...document.querySelectorAll(`[popovertarget="${id}"]`)];
      const box = buttons.find((one) => one.getClientRects().length > 0)?.getBoundingClientRect();
      if (box === undefined) return;
      const { offsetWidth, offsetHeight } = element;
      const below = box.bottom + 6;
      const fits = below + offsetHeight < innerHeight - 8;
      element.style.top = `${Math.max(fits ? below : box.top - offsetHeight - 6, 8)}px`;
      element.style.left = `${Math.max(Math.min(box.left, innerWidth - offsetWidth - 16), 8)}px`;
    };
    const close = ({ target }: Event) => {
      if (target instanceof Element && target.closest('button, a')) element?.hidePopover();
    };
    element?.addEventListener('toggle', place);
    element?.addEventListener('click', close);
    return () => {
      element?.removeEventListener('toggle', place);
      element?.removeEventListener('click', close);
    };
  }, [id]);
  return (
    <div class="menu" id={id} ref={menu} popover="auto">
      {children}
    </div>
  );
}
