import type { ComponentChildren } from 'preact';
import { LinkButton } from '../../../shared/button.tsx';
import { useCached } from '../../../shared/cached.ts';
import type { IconName } from '../../../shared/icon.tsx';
import { Icon } from '../../../shared/icon.tsx';
import { LoadedView } from '../../../shared/loaded-view.tsx';
import { Notice } from '../../../shared/notice.tsx';
import { PageHeader } from '../../../shared/page-header.tsx';
import { may } from '../../../shared/session.ts';
import { start } from '../../../texts/start.ts';
import { api } from '../../api.ts';
import { ObstacleNotice } from '../../obstacle-notice.tsx';
import type { PageProps } from '../../page.ts';
import { PosterLinks } from '../join/join-share.tsx';

/** A card that was just opened, and what to do on its first day. */
export function ReadyPage({ params: { passId = '' } }: PageProps) {
  const t = start().ready;
  const loaded = useCached(['passes', passId], (options) => api.passes.get(passId, options));
  return (
    <LoadedView of={loaded} lines={3} height={8}>
      {({ title, join, status }) => (
        <>
          <PageHeader title={t.title(title)} lead={t.lead} />
          <ol class="start-tasks">
            <Task icon="scan" title={t.poster} text={t.posterText}>
              {join?.enabled === true && status === 'published' ? (
                <PosterLinks title={title} url={join.url} kind="primary" />
              ) : (
                <Notice title={t.notOpen}>
                  <a href={`/console/passes/${passId}/join`}>{t.toJoin}</a>
                </Notice>
              )}
              <ObstacleNotice />
            </Task>
            <Task icon="store" title={t.till} text={t.tillText}>
              <div class="row">
                <LinkButton kind="quiet" href="/console/settings/tills?new=till">
                  {t.pair}
                </LinkButton>
                <LinkButton kind="quiet" href="/scan">
                  {t.scanner}
                </LinkButton>
              </div>
            </Task>
            <Task icon="people" title={t.people} text={t.peopleText}>
              <LinkButton kind="quiet" icon="upload" href={`/console/cards/import?passId=${passId}`}>
                {t.import}
              </LinkButton>
            </Task>
            {may('own') && (
              <Task icon="mail" title={t.team} text={t.teamText}>
                <LinkButton kind="quiet" href="/console/settings/people">
                  {t.invite}
                </LinkButton>
              </Task>
            )}
          </ol>
        </>
      )}
    </LoadedView>
  );
}

function Task({
  icon,
  title,
  text,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly children: ComponentChildren;
}) {
  return (
    <li class="panel">
      <header>
        <h2>
          <Icon name={icon} size={22} />
          {title}
        </h2>
        <p class="soft">{text}</p>
      </header>
      {children}
    </li>
  );
}
