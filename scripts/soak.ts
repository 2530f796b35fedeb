/**
 * `npm run soak -- [seconds]`: load over random meshes with every guard, in real time, 600 seconds where
 * not given. Fails when the heap grows, a run does not end, or something is left at the end.
 *
 * 2,000 callers ask one after another, each with a pause of up to a second; some leave, and librarians
 * answer, fail, throw, hang, lie, ask each other and flood a model. The heap is read after a full garbage
 * collection, sixty times.
 */
import { getEventListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Router, validateResponse } from "@constellation/core";
import fc from "fast-check";
import { type GuardedScenario, guarded, guardedMesh } from "../test/chaos/guarded-mesh.js";

const callers = 2_000;
const meshes = 40;
const samples = 60;
/** Growth that is allowed from the first third of the samples to the last, in bytes and as a share. */
const maxGrowth = { bytes: 2_000_000, share: 0.02 };

const seconds = Number(process.argv[2] ?? 600);
if (!(seconds >= 1)) throw new RangeError(`seconds: expected 1 or more, got ${process.argv[2]}.`);
const { gc } = globalThis;
if (gc === undefined) throw new Error("Run it with --expose-gc, as `npm run soak` does.");

const faults = new Map<string, number>();
const fault = (what: string) => faults.set(what, (faults.get(what) ?? 0) + 1);
process.on("unhandledRejection", () => fault("an unhandled rejection"));

const forbidden: string[] = [];
const scenarios = fc.sample(guarded, { numRuns: meshes, seed: 20_261_122 });
const routers = scenarios.map((each) => ({
  each,
  router: guardedMesh(each, { calls: 0, tokens: 0, timers: 0 }, forbidden),
}));
const endsAt = Date.now() + seconds * 1_000;
let runs = 0;
let inFlight = 0;
let peak = 0;

const work = Array.from({ length: callers }, (_, index) => callAgain(index));
const heap: number[] = [];
for (let sample = 0; sample < samples; sample++) {
  await pause((seconds * 1_000) / samples);
  gc();
  heap.push(process.memoryUsage().heapUsed);
}
const signals = await Promise.all(work);
// The last deadlines of librarians that were left.
const isBusy = ({ router }: { router: Router }) => {
  const { active, waiting } = router.load();
  return active + waiting > 0;
};
for (let waited = 0; waited < 10 && routers.some(isBusy); waited++) await pause(3_000);
await pause(3_000);

const [first, last] = [median(heap.slice(0, samples / 3)), median(heap.slice(-samples / 3))];
const allowed = maxGrowth.bytes + first * maxGrowth.share;
if (last - first > allowed) fault(`the heap grew by ${last - first} bytes`);
if (forbidden.length > 0) fault("a call that a rule forbids");
for (const held of routers.filter(isBusy)) {
  fault(`a slot of mesh ${routers.indexOf(held)} is held`);
}
if (signals.some((signal) => getEventListeners(signal, "abort").length > 0)) {
  fault("a listener is left");
}
const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
if (timers > 0) fault(`${timers} timers are left`);

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
console.log(`${runs.toLocaleString("en")} runs in ${seconds} s, up to ${peak} at once`);
console.log(`heap, first third ${megabytes(first)} MB, last third ${megabytes(last)} MB`);
for (const [what, count] of faults) console.log(`FAULT: ${what}, ${count} times`);
if (faults.size === 0) console.log("no fault");
process.exit(faults.size === 0 ? 0 : 1);

/** One caller: asks until the time is over, with one signal that lives on. */
async function callAgain(index: number): Promise<AbortSignal> {
  const { signal } = new AbortController();
  const { each, router } = routers[index % meshes] ?? fail();
  for (let round = index; Date.now() < endsAt; round++) {
    await pause((round * 37 + index) % 1_000);
    await askOnce(router, each, round, signal);
  }
  return signal;
}

async function askOnce(
  router: Router,
  { mesh, runs: kinds }: GuardedScenario,
  round: number,
  signal: AbortSignal,
): Promise<void> {
  const { user, to, cancelAfterMs } = kinds[round % kinds.length] ?? fail();
  const { timeoutMs = 30_000 } = mesh.router;
  const startedAt = performance.now();
  peak = Math.max(peak, ++inFlight);
  const run = router.start("why?", { to: `l${to}`, user, signal });
  const timer =
    cancelAfterMs === undefined ? undefined : setTimeout(() => run.cancel(), cancelAfterMs);
  const response = await run.response;
  clearTimeout(timer);
  inFlight--;
  runs++;
  if (!validateResponse(response).valid) fault("a response is not valid");
  // Real time on a machine that does other things: late is what no scheduling explains.
  if (performance.now() - startedAt > timeoutMs + 5_000) fault("a run ended late");
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function fail(): never {
  throw new Error("The list is empty.");
}
