/** A `ref` for a box that scrolls: without a place in the order of the Tab key, its end cannot be read by keyboard. */
export function reachByKeys(box: HTMLElement | null): void {
  if (box !== null) box.tabIndex = 0;
}
