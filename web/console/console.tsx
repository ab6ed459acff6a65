import { render } from 'preact';
import { PunchcardError } from '../../sdk/typescript/src/core/punchcard-error.ts';
import { addSentences } from '../shared/api-error.ts';
import { onOldSignIn } from '../shared/data.ts';
import { keepFocus } from '../shared/keep-focus.ts';
import { language } from '../shared/language.ts';
import { onRequestReference } from '../shared/request-reference.tsx';
import { startRouter } from '../shared/router.ts';
import { type Session, session } from '../shared/session.ts';
import { followTheme } from '../shared/theme.ts';
import { isOperatorPage, sessionCalls } from './api.ts';
import { seesCalls } from './as-curl/as-curl.tsx';
import { Shell } from './shell.tsx';
import { askToSignInAgain } from './sign-in-again.tsx';
import { StartFailure } from './start-failure.tsx';
import '@fontsource-variable/inter/wght.css';
import './styles.css';

// No page waits for them; without them a refusal is said in the service's own words.
import('../texts/console-errors.ts').then(
  ({ consoleErrors }) => addSentences(consoleErrors),
  () => undefined,
);
followTheme();
document.documentElement.lang = language.value;
startRouter('/console');
onOldSignIn(askToSignInAgain);
onRequestReference((requestId) =>
  seesCalls() ? `/console/developers/requests/${encodeURIComponent(requestId)}` : null,
);
keepFocus();
const root = document.getElementById('app');
if (root !== null) await start(root);

async function start(place: HTMLElement): Promise<void> {
  try {
    session.value = await sessionCalls.json<Session>({ method: 'GET', path: '/sessions/current' });
    render(<Shell />, place);
  } catch (error) {
    const isNobody = error instanceof PunchcardError && error.status === 401;
    if (isNobody && isOperatorPage()) render(<Shell />, place);
    else if (!isNobody) render(<StartFailure error={error} />, place);
  }
}
