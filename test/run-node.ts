import { spawn } from 'node:child_process';

/** Runs Node with these arguments and settings on top of ours, and ends it when we are to end; its exit code. */
export async function runNode(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  const stop = () => child.kill('SIGINT');
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const code = await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
  return code;
}
