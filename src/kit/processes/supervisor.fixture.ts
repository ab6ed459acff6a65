import { createLink } from './process-link.ts';

/** A process of a supervisor's that does as its argument says: it is ready, never ready, or ends at once. */
const parent = createLink(process);
process.on('disconnect', () => process.exit());
if (process.argv[2] === 'end') process.exit(3);
if (process.argv[2] === 'be ready') await parent.ask('ready', process.pid, 10_000);
