import { Icon, type IconName } from '../shared/icon.tsx';
import { chooseLanguage, type Language, language, languages } from '../shared/language.ts';
import { Menu } from '../shared/menu.tsx';
import { chooseWorkspace, membership, session } from '../shared/session.ts';
import { chooseTheme, type Theme, theme } from '../shared/theme.ts';
import { calls } from '../texts/calls.ts';
import { shell } from '../texts/shell.ts';
import { seesCalls, showCalls } from './as-curl/as-curl.tsx';

const themeIcons: Readonly<Record<Theme, IconName>> = { system: 'screen', light: 'sun', dark: 'moon' };

/** Who is signed in and where, with what concerns only them: other workspaces, language, theme, signing out. */
export function AccountMenu() {
  const t = shell();
  const who = session.value;
  const here = membership.value;
  if (who === null) return null;
  return (
    <div class="foot">
      <button type="button" class="who" popovertarget="account-menu">
        <span>
          <span class="unseen">{t.account}: </span>
          <strong dir="auto">{here?.name ?? who.person.name}</strong>
          <span class="soft small" dir="auto">
            {who.person.name}
          </span>
        </span>
        <Icon name="updown" size={18} />
      </button>
      <Menu id="account-menu">
        {who.workspaces.length > 1 && (
          <>
            <p class="soft small menu-title">{t.switchWorkspace}</p>
            {who.workspaces.map(({ workspaceId, name, role, suspended }) => (
              <button
                type="button"
                key={workspaceId}
                aria-current={workspaceId === here?.workspaceId ? 'true' : undefined}
                onClick={() => chooseWorkspace(workspaceId)}
              >
                <span>
                  <span dir="auto">{name}</span>
                  <br />
                  <span class="soft small">
                    {t.roles[role]}
                    {suspended && `, ${t.suspended}`}
                  </span>
                </span>
                {workspaceId === here?.workspaceId && (
                  <span class="end">
                    <Icon name="check" size={18} />
                  </span>
                )}
              </button>
            ))}
            <hr />
          </>
        )}
        <a href="/console/settings/account">
          <Icon name="people" size={18} />
          {t.you}
        </a>
        {seesCalls() && (
          <button type="button" onClick={() => showCalls()}>
            <Icon name="code" size={18} />
            {calls().title}
          </button>
        )}
        <hr />
        {(Object.keys(languages) as Language[]).map((one) => (
          <button type="button" key={one} lang={one} onClick={() => chooseLanguage(one)}>
            <Icon name="globe" size={18} />
            {languages[one]}
            {language.value === one && <Chosen />}
          </button>
        ))}
        <hr />
        {(Object.keys(themeIcons) as Theme[]).map((one) => (
          <button type="button" key={one} onClick={() => chooseTheme(one)}>
            <Icon name={themeIcons[one]} size={18} />
            <span>
              <span class="unseen">{t.themeName('')}</span>
              {t.theme[one]}
            </span>
            {theme.value === one && <Chosen />}
          </button>
        ))}
        <hr />
        <form method="post" action="/sign-out">
          <button type="submit">
            <Icon name="leave" size={18} />
            {t.signOut}
          </button>
        </form>
      </Menu>
    </div>
  );
}

function Chosen() {
  return (
    <span class="end">
      <Icon name="check" size={18} />
    </span>
  );
}
