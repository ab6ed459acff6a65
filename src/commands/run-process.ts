import { ConfigError, readConfig } from '../config.ts';
import { createLink, type Link } from '../kit/processes/process-link.ts';
import { runService } from './run-service.ts';
import type { Ready, Role } from './serve-many.ts';

/** The longest that the parent is waited for; it has heard it by then or will. */
const readyMs = 10_000;

/** One of the processes that `serve` starts with PROCESSES: it ends with its parent, and says there when it is ready. */
export async function runProcess(role: Role, { joins = false }: { joins?: boolean }): Promise<void> {
  if (!process.connected)
    throw new ConfigError('This command is run by `punchcard serve` with PROCESSES alone.');
  const parent = createLink(process);
  // No process is left to pass a signal on.
  process.on('disconnect', () => process.exit(1));
  try {
    await serveFor(parent, role, joins);
  } catch (error) {
    // The link alone would keep it from ending.
    process.channel?.unref();
    throw error;
  }
}

async function serveFor(parent: Link, role: Role, joins: boolean): Promise<void> {
  const config = readConfig();
  const serves = role === 'serve';
  await runService(
    { ...config, drainMs: serves ? config.drainMs : 0 },
    {
      serves,
      works: !serves,
      parent,
      joins,
      onReady({ url, port }) {
        const ready: Ready = { url, port };
        parent.ask('ready', ready, readyMs).catch(() => undefined);
      },
      // The parent exchanges its processes, and ends each in its time.
      onHangUp: () => true,
    },
  );
}
