import { Notice } from '../shared/notice.tsx';
import { home } from '../texts/home.ts';
import { useObstacles } from './use-obstacles.ts';

/** One line on pages that bring people to their card, while iPhones refuse it or no mail leaves. */
export function ObstacleNotice() {
  const t = home().ready;
  const { value } = useObstacles();
  const said = [value?.apple != null && t.short.apple, value?.mail != null && t.short.mail].filter(
    (one) => one !== false,
  );
  if (said.length === 0) return null;
  return (
    <Notice title={said.join(' ')}>
      <a href="/console">{t.look}</a>
    </Notice>
  );
}
