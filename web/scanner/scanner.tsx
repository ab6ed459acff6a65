import { render } from 'preact';
import { language } from '../shared/language.ts';
import { startRouter } from '../shared/router.ts';
import { followTheme } from '../shared/theme.ts';
import { Frame } from './frame.tsx';
import { startWorker } from './offline/worker-client.ts';
import './styles.css';

followTheme();
document.documentElement.lang = language.value;
startRouter('/scan');
const root = document.getElementById('app');
if (root !== null) render(<Frame />, root);
void startWorker();
