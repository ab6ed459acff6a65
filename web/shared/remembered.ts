/** What this browser remembers of a person's choices; null where it has nothing, or keeps nothing. */
export function recall(name: string, place: 'browser' | 'tab' = 'browser'): string | null {
  try {
    return storageOf(place).getItem(`punchcard.${name}`);
  } catch {
    return null;
  }
}

/** Remembers a choice; null forgets it. */
export function remember(name: string, value: string | null, place: 'browser' | 'tab' = 'browser'): void {
  try {
    if (value === null) storageOf(place).removeItem(`punchcard.${name}`);
    else storageOf(place).setItem(`punchcard.${name}`, value);
  } catch {
    // A browser that keeps nothing asks again.
  }
}

function storageOf(place: 'browser' | 'tab'): Storage {
  return place === 'tab' ? sessionStorage : localStorage;
}
