import { recall, remember } from '../../../shared/remembered.ts';
import { type Draft, designOf, draftOf } from './draft.ts';

/** What the user has not saved stays in the tab, also while they open other pages; null where there is nothing. */
export function recallDraft(passId: string): Draft | null {
  try {
    const text = recall(`design.${passId}`, 'tab');
    if (text === null) return null;
    // Its items get numbers that this page has not given yet.
    return draftOf(designOf(JSON.parse(text) as Draft) as Parameters<typeof draftOf>[0]);
  } catch {
    return null;
  }
}

export function rememberDraft(passId: string, draft: Draft | null): void {
  remember(`design.${passId}`, draft === null ? null : JSON.stringify(draft), 'tab');
}
