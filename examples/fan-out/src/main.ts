/**
 * Three delegates and one merged answer; then one that is late, and one that is cancelled. Prints
 * what happens, checks it, and fails when it is wrong.
 *
 *     node --conditions=@constellation/source --import tsx examples/fan-out/src/main.ts
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { printTree } from "@constellation/authoring";
import { createRouter, type Librarian, type MergeStrategy } from "@constellation/core";

/** Asks all three at once; what becomes of their answers is the merge strategy's matter. */
function everybody(merge?: MergeStrategy): Librarian {
  const delegate = [{ to: "metrics" }, { to: "logs" }, { to: "runbook" }];
  return async () => ({ delegate, ...(merge !== undefined && { merge }) });
}

/** What librarians did once their signal aborted. */
const stops: string[] = [];

/** Answers after a while, and stops when it is cancelled, as a librarian should. */
function answers(answer: string, confidence: number, afterMs: number): Librarian {
  return async (_query, context) => {
    try {
      await sleep(afterMs, undefined, context?.signal && { signal: context.signal });
    } catch {
      stops.push(`"${answer}" was not needed`);
      return { error: { code: "TIMEOUT", message: "It stopped at its signal." } };
    }
    return { answer, confidence, sources: [{ name: "the last hour" }] };
  };
}

/** Looks at its watch only when it has finished: its signal means nothing to it. */
const deaf: Librarian = async () => {
  await sleep(300);
  stops.push("the late one has finished after all");
  return { answer: "Too late." };
};

const router = createRouter({ name: "fan-out", timeoutMs: 5_000 });
const description = "looks at checkout";
router.register({ id: "everybody", description, librarian: everybody() });
router.register({ id: "first-success", description, librarian: everybody("first-success") });
router.register({
  id: "metrics",
  name: "Metrics",
  description,
  librarian: answers("Memory has grown since 14:02.", 0.9, 150),
});
router.register({
  id: "logs",
  name: "Logs",
  description,
  librarian: answers("Every second request ends in an OutOfMemoryError.", 0.7, 20),
});
router.register({
  id: "runbook",
  name: "Runbook",
  description,
  librarian: answers("Raise the limit, then roll back.", 0.8, 10),
});

heading("Three answers become one");
const all = router.start("What is wrong with checkout?", { to: "everybody" });
const merged = await all.response;
console.log(merged.answer, "\n");
console.log(printTree(all.explain()));

// In the order they were asked for, although the last of them was the first to answer.
deepEqual(merged.answer?.match(/^## .+$/gm), ["## Metrics", "## Logs", "## Runbook"]);
equal(merged.partial, undefined);
equal(merged.confidence?.toFixed(2), "0.80");

heading("One is late");
router.unregister("logs");
router.register({ id: "logs", name: "Logs", description, timeoutMs: 100, librarian: deaf });
const late = router.start("What is wrong with checkout?", { to: "everybody" });
const partial = await late.response;
console.log(partial.answer, "\n");
for (const { to, code, reason } of partial.metadata?.missing ?? []) {
  console.log(`missing: ${to}, ${code} (${reason})`);
}
console.log(`still busy: ${late.explain().unsettled}`);
await late.settled; // the answer did not wait for it; clean-up can
console.log(stops.join("\n"));

equal(partial.partial, true);
deepEqual(partial.answer?.match(/^## .+$/gm), ["## Metrics", "## Runbook"]);
deepEqual(
  partial.metadata?.missing?.map(({ to, code, reason }) => [to, code, reason]),
  [["logs", "TIMEOUT", "deadline"]],
);
deepEqual(stops, ["the late one has finished after all"]);
equal(late.explain().unsettled, 0);

heading("The first answer is enough, so the others are cancelled");
stops.length = 0;
router.unregister("logs");
router.register({
  id: "logs",
  name: "Logs",
  description,
  librarian: answers("Nothing was logged.", 0.5, 60_000),
});
const first = router.start("What is wrong with checkout?", { to: "first-success" });
const quickest = await first.response;
await first.settled;
console.log(quickest.answer, "\n");
console.log(stops.sort().join("\n"));

equal(quickest.answer, "Raise the limit, then roll back.");
deepEqual(stops, [
  '"Memory has grown since 14:02." was not needed',
  '"Nothing was logged." was not needed',
]);

heading("The caller leaves");
stops.length = 0;
const left = router.start("What is wrong with checkout?", { to: "everybody" });
setTimeout(() => left.cancel("the caller left"), 200);
const rest = await left.response;
await left.settled;
console.log(rest.answer, "\n");
console.log(stops.join("\n"));

match(rest.answer ?? "", /Memory has grown[\s\S]+Raise the limit/); // both had arrived by then
equal(rest.partial, true);
deepEqual(stops, ['"Nothing was logged." was not needed']);
await router.close();

function heading(text: string): void {
  console.log(`\n# ${text}\n`);
}
