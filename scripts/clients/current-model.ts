import { readFileSync } from 'node:fs';
import { routes } from '../../src/routes.ts';
import { describeApi } from '../../src/start/reference.ts';
import type { ClientModel } from './model.ts';
import { clientModel } from './read-model.ts';

/** The model of the client libraries as the API is now. */
export function currentModel(): ClientModel {
  const { document } = describeApi(routes, 'https://cards.example.com');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return clientModel(document, version);
}
