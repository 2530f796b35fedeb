import { Session } from "node:inspector/promises";

/** How many times the steps may grow when the text grows four times: 4 is linear, 16 quadratic. */
export const maxStepGrowth = 7;
/** Steps that need no explanation, whatever the text. */
export const freeSteps = 20_000;

/**
 * Counts how often work enters a block of code: functions, loops and branches, of libraries too. The same work
 * gives the same count on a busy machine. What runs inside the engine, such as a regular expression, counts as
 * one: `npm run regexes` decides those.
 */
export interface StepCounter {
  count(work: () => unknown): Promise<number>;
  close(): void;
}

/** Starts to count in this process, which makes everything slower until it is closed. */
export async function openStepCounter(): Promise<StepCounter> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return {
    async count(work) {
      await session.post("Profiler.takePreciseCoverage"); // starts at 0
      await work();
      const { result } = await session.post("Profiler.takePreciseCoverage");
      return result
        .filter(({ url }) => url.startsWith("file:"))
        .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
        .reduce((sum, { count }) => sum + count, 0);
    },
    close: () => session.disconnect(),
  };
}
