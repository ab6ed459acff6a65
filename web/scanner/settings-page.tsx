import { useEffect, useState } from 'preact/hooks';
import { Button } from '../shared/button.tsx';
import { chooseLanguage, type Language, language, languages } from '../shared/language.ts';
import { PageHeader } from '../shared/page-header.tsx';
import { chooseWorkspace, session, workspaceId } from '../shared/session.ts';
import { chooseTheme, type Theme, theme } from '../shared/theme.ts';
import { scanner } from '../texts/scanner.ts';
import { shell } from '../texts/shell.ts';
import { changeDevice, deviceSettings } from './device-settings.ts';
import { till } from './who.ts';

/** What this device is set to, for everyone who works at it. */
export function SettingsPage() {
  const t = scanner().settings;
  const device = deviceSettings.value;
  const workspaces = session.value?.workspaces ?? [];
  return (
    <div class="narrow stack">
      <PageHeader title={t.title} lead={t.lead} back={{ href: '/scan', label: t.back }} />
      <div class="panel settings-group">
        {workspaces.length > 1 && (
          <Choice
            label={t.workspace}
            value={workspaceId.value ?? ''}
            options={Object.fromEntries(workspaces.map((one) => [one.workspaceId, one.name]))}
            choose={chooseWorkspace}
          />
        )}
        <Choice
          label={t.hand}
          value={device.hand}
          options={t.hands}
          choose={(hand) => changeDevice({ hand: hand === 'left' ? 'left' : 'right' })}
        />
        <Switch label={t.sound} isOn={device.hasSound} turn={(hasSound) => changeDevice({ hasSound })} />
        <Switch label={t.vibration} isOn={device.vibrates} turn={(vibrates) => changeDevice({ vibrates })} />
        <Switch label={t.screen} isOn={device.staysOn} turn={(staysOn) => changeDevice({ staysOn })} />
        <FullScreen />
        {till.value !== null && (
          <Choice
            label={t.lockAfter}
            value={String(device.lockAfter)}
            options={t.minutes}
            choose={(minutes) => changeDevice({ lockAfter: Number(minutes) })}
          />
        )}
        <div class="setting">
          <label for="country">
            {t.country}
            <span class="soft small">{t.countryHint}</span>
          </label>
          <input
            id="country"
            type="tel"
            maxLength={5}
            value={device.country}
            onChange={({ currentTarget }) => {
              const digits = currentTarget.value.replace(/\D/g, '');
              changeDevice({ country: digits === '' ? '' : `+${digits}` });
            }}
          />
        </div>
        <Choice
          label={t.language}
          value={language.value}
          options={languages}
          choose={(one) => chooseLanguage(one as Language)}
        />
        <Choice
          label={t.theme}
          value={theme.value}
          options={shell().theme}
          choose={(one) => chooseTheme(one as Theme)}
        />
      </div>
    </div>
  );
}

function Choice({
  label,
  value,
  options,
  choose,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  readonly choose: (value: string) => void;
}) {
  return (
    <div class="setting">
      <label for={`choice-${label}`}>{label}</label>
      <select
        id={`choice-${label}`}
        value={value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {Object.entries(options).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Switch({
  label,
  isOn,
  turn,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly turn: (isOn: boolean) => void;
}) {
  return (
    <label class="setting">
      <span>{label}</span>
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => turn(currentTarget.checked)} />
    </label>
  );
}

/** Not every browser has it, and an installed app has no need of it. */
function FullScreen() {
  const t = scanner().settings;
  const [isFull, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, []);
  if (!document.fullscreenEnabled || matchMedia('(display-mode: standalone)').matches) return null;
  return (
    <div class="setting">
      <span>{t.fullScreen}</span>
      <Button
        kind="quiet"
        onClick={() => {
          const changed = isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen();
          changed.catch(() => undefined);
        }}
      >
        {isFull ? t.leaveFull : t.enterFull}
      </Button>
    </div>
  );
}
