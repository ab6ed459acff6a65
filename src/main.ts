#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Argument, Command } from 'commander';
import { printable } from './kit/text/printable.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
/** Loads a command when it is called: help and the simulators do not wait for all of the service. */
function onDemand<Given extends unknown[]>(load: () => Promise<(...given: Given) => unknown>) {
  return async (...given: Given): Promise<void> => {
    const run = await load();
    await run(...given);
  };
}

const managing = () => import('./commands/manage-workspaces.ts');
const program = new Command('punchcard')
  .description('Wallet passes and loyalty programs, self-hosted.')
  .version(version, '--version')
  .showHelpAfterError();

program
  .command('serve', { isDefault: true })
  .description('serve the API and the holder pages')
  .action(onDemand(async () => (await import('./commands/serve.ts')).serve));
program
  .command('work')
  .description('do the background work only, next to processes that serve with WORKERS=off')
  .action(onDemand(async () => (await import('./commands/serve.ts')).work));
program
  .command('process', { hidden: true })
  .addArgument(new Argument('<role>').choices(['serve', 'work']))
  .option('--joins', 'the port is shared with others that serve')
  .action(onDemand(async () => (await import('./commands/run-process.ts')).runProcess));
program
  .command('migrate')
  .description('bring the database to the newest version')
  .action(onDemand(async () => (await import('./commands/migrate-database.ts')).migrateDatabase));
program
  .command('backup')
  .description(
    'write everything that the database holds into one file, next to the running service or without it',
  )
  .argument('<file>', 'where to; in a folder the file gets the time for a name')
  .action(onDemand(async () => (await import('./commands/back-up.ts')).backUp));
program
  .command('restore')
  .description('load a backup into an empty database, and send nothing again that may have been sent before')
  .argument('<file>', 'what `backup` wrote')
  .option('--check', 'only look whether the file is whole')
  .option('--other-key', 'go on although the backup belongs to another encryption key')
  .option(
    '--unsealed',
    'go on although the backup is not sealed: one of a former version, or made without a key',
  )
  .action(onDemand(async () => (await import('./commands/restore-backup.ts')).restoreBackup));
program
  .command('settle-restored')
  .description('the same of a database that was restored by other means: once, before the service starts')
  .action(onDemand(async () => (await import('./commands/settle-restored.ts')).settleRestored));
program
  .command('routes')
  .description('list every endpoint: method, path, access, operation')
  .action(onDemand(async () => (await import('./commands/print-routes.ts')).printRoutes));
program
  .command('doctor')
  .description('check what the service depends on, or why a phone does not show an update')
  .option('--instance <id>', 'ask the running service about this card, inst_…')
  .action(onDemand(async () => (await import('./commands/doctor.ts')).doctor));
program
  .command('trace')
  .description(
    'all that a request has left, in whichever workspace, and the outcome of one without a workspace',
  )
  .argument('<request>', 'its id, as X-Request-Id of the answer')
  .action(onDemand(async () => (await import('./commands/trace-request.ts')).traceById));
program
  .command('audit')
  .description('recount the points ledgers now, and say where they do not add up')
  .option('--workspace <id>', 'only this workspace, ws_…')
  .action(onDemand(async () => (await import('./commands/audit-ledgers.ts')).auditLedgers));
const asJson = 'as the API answers it; the way it is printed where no terminal reads it';
const workspaces = program
  .command('workspaces')
  .description('tenants: who they are, and their way elsewhere');
workspaces
  .command('export')
  .description('write all that a suspended workspace has into one file, for another installation')
  .argument('<workspace>', 'its id, ws_…')
  .argument('<file>', 'where to')
  .option('--copy', 'as of this moment, although it is not suspended and goes on changing')
  .action(onDemand(async () => (await import('./commands/move-workspace.ts')).exportWorkspace));
workspaces
  .command('import')
  .description('load an exported workspace next to those that are here: all of it or nothing')
  .argument('<file>', 'what `workspaces export` wrote')
  .action(onDemand(async () => (await import('./commands/move-workspace.ts')).importWorkspace));
for (const [name, description, load] of [
  ['show', 'one of them', async () => (await managing()).showWorkspace],
  ['suspend', 'its keys no longer open anything', async () => (await managing()).suspendWorkspace(true)],
  ['resume', 'its keys open again', async () => (await managing()).suspendWorkspace(false)],
] as const)
  workspaces
    .command(name)
    .description(description)
    .argument('<workspace>', 'its id, ws_…')
    .option('--json', asJson)
    .action(onDemand(load));
workspaces
  .command('list')
  .description('all of them')
  .option('--json', asJson)
  .action(onDemand(async () => (await managing()).listWorkspaces));
workspaces
  .command('create')
  .description('a new one; the secret of its key is shown once')
  .argument('<name>', 'is shown on its cards')
  .option('--plan <plan>', 'entry or pro')
  .option('--credits <count>', 'to begin with')
  .option('--json', asJson)
  .action(onDemand(async () => (await managing()).newWorkspace));
const keys = program.command('keys').description('the API keys of a workspace');
keys
  .command('list')
  .argument('<workspace>', 'its id, ws_…')
  .option('--json', asJson)
  .action(onDemand(async () => (await managing()).listApiKeys));
keys
  .command('create')
  .description('a new one; its secret is shown once')
  .argument('<workspace>', 'its id, ws_…')
  .requiredOption('--name <name>', 'what it is for')
  .option('--access <access>', 'full or read', 'full')
  .option('--json', asJson)
  .action(onDemand(async () => (await managing()).newApiKey));
keys
  .command('revoke')
  .description('end one for good')
  .argument('<workspace>', 'its id, ws_…')
  .argument('<key>', 'its id, key_…')
  .option('--json', asJson)
  .action(onDemand(async () => (await managing()).endApiKey));
const credits = program.command('credits').description('the credits of a workspace');
credits
  .command('show')
  .argument('<workspace>', 'its id, ws_…')
  .option('--json', asJson)
  .action(onDemand(async () => (await managing()).showCredits));
credits
  .command('add')
  .description('top them up')
  .argument('<workspace>', 'its id, ws_…')
  .argument('<amount>', 'how many')
  .option('--note <text>', 'why')
  .option('--json', asJson)
  .action(onDemand(async () => (await managing()).topUp));
program
  .command('console-link')
  .description('print a link that signs an owner of a workspace in, once, within 30 minutes')
  .argument('[workspace]', 'its id, ws_…; not needed where there is one')
  .action(onDemand(async () => (await managing()).consoleLink));
program
  .command('set-address')
  .description('give a person another e-mail address, where no mail server is set that could prove it')
  .argument('<person>', 'their id, person_…, as the console shows it under "Your account"')
  .argument('<email>', 'the new address')
  .action(onDemand(async () => (await managing()).setPersonAddress));
program
  .command('validate')
  .description('check .pkpass files against the rules of Apple Wallet')
  .argument('<files...>', 'pass files')
  .option('--root <file>', 'PEM of the root that the chain must end at')
  // Loaded on demand, like the simulators: these tools lie outside src/, and the service runs without them.
  .action(async (files, options) =>
    (await import('../tools/validator/validate-files.ts')).validateFiles(files, options),
  );
const simulate = program.command('simulate').description('simulate the outside world');
simulate
  .command('phone')
  .description('add a card to a simulated iPhone and watch it change')
  .requiredOption('--link <url>', 'link of the card, http://localhost:3000/p/…')
  .option('--apns-port <port>', 'port of the simulated push service', '2197')
  .option('--poll <seconds>', 'ask for changes every so many seconds instead of waiting for pushes')
  .option('--device <id>', 'identifier of the device; a new one unless given')
  .option('--remove', 'take the card off that device again')
  .action(async (options) => (await import('../tools/simulate-phone.ts')).simulatePhone(options));
simulate
  .command('store')
  .description('a shop with customers, orders and webhooks, to connect this service with')
  .requiredOption('--platform <name>', 'shopify or woocommerce')
  .option('--customers <count>', 'how many customers it has', '1000')
  .option('--port <port>', 'of its API, over https', '8843')
  .option('--control-port <port>', 'where orders are placed by hand, over http', '8844')
  .option('--webhooks <url>', 'the webhookUrl that the service has given; it can be set later')
  .option('--secret <text>', 'signs the webhooks; one that stays the same unless given')
  .option('--currency <code>', 'currency of its orders', 'EUR')
  .action(async (options) => (await import('../tools/simulate-store.ts')).simulateStore(options));
simulate
  .command('webhooks')
  .description('a receiver of events: verifies and prints each, and fails on request')
  .option('--port <port>', 'where it listens, over http', '8850')
  .option('--secret <secret>', 'verifies the messages: what POST /webhooks has answered')
  .option('--status <status>', 'what it answers', '204')
  .option('--fail-first <count>', 'answers so many messages with 503 before that', '0')
  .option('--delay <ms>', 'how long it takes to answer', '0')
  .option('--hang', 'never answers')
  .action(async (options) => (await import('../tools/simulate-webhooks.ts')).simulateWebhooks(options));

// Else it would be an argument too many of the command that needs no name.
const [name = '-'] = process.argv.slice(2);
const names = program.commands.map((command) => command.name());
if (!name.startsWith('-') && ![...names, 'help'].includes(name))
  program.error(`There is no command "${name}".`);
// Nor is an option without a command that of the command that needs no name: it has none.
if (name.length > 1 && name.startsWith('-') && !['--help', '-h', '--version'].includes(name))
  program.error(`There is no option "${name}" before a command.`);

try {
  await program.parseAsync();
} catch (error) {
  // What the operator can mend is one line; anything else is a bug and shows its stack.
  const { explainFailure } = await import('./commands/explain-failure.ts');
  const explanation = explainFailure(error);
  console.error(explanation === null ? printable(inspect(error)) : `punchcard: ${explanation}`);
  process.exitCode = 1;
}
