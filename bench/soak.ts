/**
 * What must not grow, and a deadline that must not be lost. Run it with `--expose-gc`.
 *
 * `--core CHECKOUT` takes the core built in another checkout.
 */
import { getEventListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { raisedLimits } from "./baselines/constellation.js";
import { addChain } from "./baselines/mesh-variant.js";
import { query } from "./baselines/variant.js";
import { loadCore } from "./core.js";
import { describeMachine, machineLine } from "./machine.js";
import { activeTimers, collectGarbage } from "./measure.js";

const runs = 100_000;
const deadlines = 200;
const deadlineMs = 30;

/** Kept, so that only the platform can lose them. */
const composites: AbortSignal[] = [];

const { values } = parseArgs({ options: { core: { type: "string" } } });
const core = await loadCore(values.core);
let failures = 0;
console.log(machineLine(describeMachine()));
await soakOneSignal();
await fireDeadlines("router.ask, timeoutMs", askWithDeadline());
await fireDeadlines("AbortSignal.any + AbortSignal.timeout", platformDeadline, false);
process.exitCode = failures === 0 ? 0 : 1;

/** Asks again and again with one signal that lives on. */
async function soakOneSignal(): Promise<void> {
  let warnings = 0;
  process.on("warning", ({ name }) => {
    if (name === "MaxListenersExceededWarning") warnings++;
  });
  const router = core.createRouter(raisedLimits);
  addChain(
    {
      add: (id, librarian) => router.register({ id, description: "one of a chain", librarian }),
      ask: () => Promise.resolve(),
    },
    { delegations: 3, readsSignal: true },
  );
  const { signal } = new AbortController();
  const ask = async (times: number) => {
    for (let asked = 0; asked < times; asked += 100) {
      await Promise.all(Array.from({ length: 100 }, () => router.ask(query, { to: "l0", signal })));
    }
  };

  await ask(runs / 10); // compiles what will be used
  const timersBefore = activeTimers();
  const heapBefore = await heapUsed();
  await ask(runs);
  const perRun = ((await heapUsed()) - heapBefore) / runs;

  console.log(`\n${runs.toLocaleString("en")} runs on one signal`);
  report("listeners left on the signal", getEventListeners(signal, "abort").length, 0);
  report("timers left", activeTimers() - timersBefore, 0);
  report("MaxListenersExceededWarning", warnings, 0);
  report("bytes of heap more per run", Number(perRun.toFixed(2)), 1);
}

async function heapUsed(): Promise<number> {
  await pause(20);
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

type Deadline = (caller: AbortSignal, onFired: () => void) => void;

/** Starts many deadlines, collects garbage before they are over, and counts those that fire. */
async function fireDeadlines(name: string, start: Deadline, mustFire = true): Promise<void> {
  const { signal } = new AbortController();
  let fired = 0;
  for (let count = 0; count < deadlines; count++) {
    start(signal, () => {
      fired++;
    });
  }
  await pause(5);
  collectGarbage();
  collectGarbage();
  await pause(deadlineMs * 10);
  console.log(`\n${name}: a deadline of ${deadlineMs} ms, garbage collected before it`);
  if (mustFire) report(`fired of ${deadlines}`, fired, deadlines, "at least");
  else console.log(`  fired of ${deadlines}: ${fired}`);
}

function askWithDeadline(): Deadline {
  const router = core.createRouter({ timeoutMs: deadlineMs });
  router.register({
    id: "never",
    description: "never answers",
    librarian: () => new Promise(() => undefined),
  });
  return (signal, onFired) => {
    void router.ask(query, { signal }).then(({ error }) => {
      if (error?.code === "TIMEOUT") onFired();
    });
  };
}

function platformDeadline(signal: AbortSignal, onFired: () => void): void {
  const composite = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  composite.addEventListener("abort", onFired, { once: true });
  composites.push(composite);
}

function report(what: string, value: number, bound: number, direction = "at most"): void {
  const holds = direction === "at least" ? value >= bound : value <= bound;
  if (!holds) failures++;
  console.log(`  ${what}: ${value} (${direction} ${bound}: ${holds ? "yes" : "NO"})`);
}
