import type { Store, StoreTest } from '../../../sdk/typescript/src/types.ts';
import { Badge } from '../../shared/notice.tsx';
import { stores } from '../../texts/stores.ts';

/** A sentence for what is wrong with a store, by its code. */
export function problemSentence(code: string): string {
  const t = stores();
  return t.problems[code] ?? t.otherProblem(code);
}

/** How a store is. */
export function StoreState({ of: { status, problem } }: { readonly of: Store }) {
  const t = stores().states;
  if (status === 'disconnected') return <Badge>{t.off}</Badge>;
  return problem === null ? <Badge kind="good">{t.good}</Badge> : <Badge kind="alert">{t.alert}</Badge>;
}

/** What a store has answered to a test, as a sentence. */
export function testSentence({ domain, platform }: Store, result: StoreTest): string {
  const t = stores();
  if (!result.ok) return problemSentence(result.reason);
  if (result.shop === null) return t.testedCustom;
  // WooCommerce sends no name of its own.
  return t.tested(platform === 'woocommerce' ? domain : result.shop.name);
}
