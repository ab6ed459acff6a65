import { Icon } from '../../shared/icon.tsx';
import { may } from '../../shared/session.ts';
import { home } from '../../texts/home.ts';
import { useObstacles } from '../use-obstacles.ts';

/** What is missing before customers come; nothing where nothing is. */
export function Checklist() {
  const t = home().ready;
  const { value } = useObstacles();
  if (value === undefined || Object.values(value).every((obstacle) => obstacle === null)) return null;
  const items = [
    {
      ...t.apple,
      problem: value.apple && t.apple.problems[value.apple],
      href: '/console/settings/wallets/apple',
    },
    { ...t.google, problem: value.google && t.google.problem, href: '/console/settings/wallets/google' },
    { ...t.address, problem: value.address && t.address.problem, href: null },
    { ...t.mail, problem: value.mail && t.mail.problem, href: null },
  ];
  return (
    <section class="panel checklist" aria-labelledby="checklist">
      <h2 id="checklist">{t.title}</h2>
      <ul>
        {items.map(({ name, problem, href }) => (
          <li key={name} class={problem === null ? 'met' : 'missing'}>
            <Icon name={problem === null ? 'check' : 'close'} />
            <div>
              <strong>{name}</strong> <span class="unseen">{problem === null ? t.met : t.missing}</span>
              {problem !== null && <p class="soft small">{problem}</p>}
              {problem !== null && href === null && <p class="small">{t.ask}</p>}
              {problem !== null &&
                href !== null &&
                (may('own') ? (
                  <a href={href}>
                    {t.mend} <span class="unseen">{name}</span>
                  </a>
                ) : (
                  <p class="small">{t.askOwner}</p>
                ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
