#!/usr/bin/env node
import { Command } from 'commander';
import { doctor } from './commands/doctor.ts';
import { explainFailure } from './commands/explain-failure.ts';
import { migrateDatabase } from './commands/migrate-database.ts';
import { printRoutes } from './commands/print-routes.ts';
import { serve } from './commands/serve.ts';
import { validateFiles } from './commands/validate-files.ts';

const program = new Command('punchcard')
  .description('Wallet passes and loyalty programs, self-hosted.')
  .showHelpAfterError();

program.command('serve', { isDefault: true }).description('serve the API and the holder pages').action(serve);
program.command('migrate').description('bring the database to the newest version').action(migrateDatabase);
program
  .command('routes')
  .description('list every endpoint: method, path, access, operation')
  .action(printRoutes);
program.command('doctor').description('check configuration, certificates and database').action(doctor);
program
  .command('validate')
  .description('check .pkpass files against the rules of Apple Wallet')
  .argument('<files...>', 'pass files')
  .option('--root <file>', 'PEM of the root that the chain must end at')
  .action(validateFiles);

try {
  await program.parseAsync();
} catch (error) {
  // What the operator can mend is one line; anything else is a bug and shows its stack.
  const explanation = explainFailure(error);
  console.error(explanation === null ? error : `punchcard: ${explanation}`);
  process.exitCode = 1;
}
