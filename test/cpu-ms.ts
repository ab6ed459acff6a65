/** What this process has taken of the processors so far: unlike a clock, it stands still while others run. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
