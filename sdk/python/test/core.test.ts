import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installClient, needsPython } from './python.ts';

describe('the core of the Python client', needsPython, async () => {
  const python = await installClient();
  it('keeps what test_core.py says', async () => {
    await python.run([fileURLToPath(new URL('test_core.py', import.meta.url))]);
  });
});
