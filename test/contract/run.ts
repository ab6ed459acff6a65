import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runNode } from '../run-node.ts';
import { writeAuthority } from './outside.ts';

const usage = `npm run test:contract [-- options]

Without options a service is started for the suite, and every sentence of the contract is shown.

  --url URL               the installation to ask instead, e.g. https://cards.example.com
  --operator-token TOKEN  its operator token; the suite makes its own workspaces with it, and suspends them at the end
  --fakes FOLDER          the installation runs on this machine, with FETCH_ALLOW_CIDRS=127.0.0.1/32 and
                          NODE_EXTRA_CA_CERTS=FOLDER/ca.pem: the suite starts an image host and stores for it
  --make-fakes FOLDER     writes the certificate for that into the folder, and does nothing else
  --only WORDS            only the sentences with these words (a regular expression)
`;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    'operator-token': { type: 'string' },
    fakes: { type: 'string' },
    'make-fakes': { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
});

if (values.help === true) console.log(usage);
else if (values['make-fakes'] !== undefined) await writeAuthority(values['make-fakes']);
else process.exitCode = await runTests();

async function runTests(): Promise<number> {
  const { url, 'operator-token': token, fakes, only } = values;
  if ((url === undefined) !== (token === undefined)) {
    console.error('--url and --operator-token go together.');
    return 2;
  }
  const file = fileURLToPath(new URL('contract.test.ts', import.meta.url));
  // A service of its own needs a database, which the runner of all tests prepares.
  const runner = fileURLToPath(new URL('../run.ts', import.meta.url));
  const patterns = only === undefined ? [] : [`--test-name-pattern=${only}`];
  const args = url === undefined ? [runner, ...patterns, file] : ['--test', ...patterns, file];
  return runNode(args, {
    ...(url !== undefined && { CONTRACT_URL: url, CONTRACT_OPERATOR_TOKEN: token }),
    ...(fakes !== undefined && { CONTRACT_FAKES: resolve(fakes) }),
  });
}
