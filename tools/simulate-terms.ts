import { plainText } from './simulate-card-drawing.ts';

/** A mistake that the user of a simulator can correct; the message says how. */
export class SimulationProblem extends Error {}

/** Runs a simulation. What `explain` can say in one line is printed; anything else is raised. */
export async function runSimulation(
  simulate: () => Promise<void>,
  explain: (error: unknown) => string | null,
): Promise<void> {
  try {
    await simulate();
  } catch (error) {
    const explanation = error instanceof SimulationProblem ? error.message : explain(error);
    if (explanation === null) throw error;
    console.error(`punchcard: ${plainText(explanation)}`);
    process.exitCode = 1;
  }
}

/** Prints what has happened, and when. */
export function say(line: string): void {
  console.log(`${new Date().toTimeString().slice(0, 8)}  ${plainText(line)}`);
}

/** The number that an option names. Raises SimulationProblem. */
export function wholeNumber(text: string, name: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new SimulationProblem(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
}
