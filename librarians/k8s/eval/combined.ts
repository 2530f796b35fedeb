/**
 * How much of what is wrong a board has: cases of one failure each are put into one cluster, 8, 15 and 30 at a time,
 * and the causes that the answer to "what is wrong in the cluster right now?" lists are counted.
 *
 *     npm run combined -w librarians/k8s -- [--misses] [--show N]
 *
 * `--misses` names the cases whose cause is not listed; `--show 8` prints the first answer with that many.
 */
import { recordAt, textAt } from "../src/cluster/fields.js";
import { createInMemoryReader } from "../src/cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../src/k8s-librarian.js";
import type { ClusterCase } from "./load-case.js";
import { answerOwnCases } from "./own-cases.js";

const now = Date.parse("2026-07-01T12:00:00Z");
/** Combined clusters of each size. */
const rounds = 8;
/** Classes whose cases are not one failure that stands alone. */
const left: ReadonlySet<string> = new Set(
  "questions partial traps trap-twins healthy overview two changes time wording".split(" "),
);

interface Single {
  readonly one: ClusterCase;
  /** Names of what has the failure, and of its owner. */
  readonly names: readonly string[];
  /** Namespaces, and ids of what is in none. */
  readonly places: readonly string[];
}

/** A value with each of its moments later by so many milliseconds. */
function shifted<Value>(value: Value, by: number): Value {
  return JSON.parse(
    JSON.stringify(value).replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (moment) =>
      new Date(Date.parse(moment) + by).toISOString(),
    ),
  ) as Value; // the same JSON
}

async function findSingles(): Promise<readonly Single[]> {
  const singles: Single[] = [];
  for (const { one, response } of await answerOwnCases()) {
    const facts: unknown = response.metadata?.facts;
    const fact: unknown = Array.isArray(facts) ? facts[0] : undefined;
    const signal = textAt(fact, "signal_type") ?? "Healthy";
    const isRight = signal !== "Healthy" && one.expected.signalTypes.includes(signal);
    const isCurrent =
      recordAt(fact).is_current !== false && textAt(fact, "namespace") !== undefined;
    if (left.has(one.group) || one.now === undefined || !isRight || !isCurrent) continue;
    const places = one.objects.flatMap((object) => {
      const place = textAt(object, "metadata", "namespace");
      const kind = textAt(object, "kind") ?? "";
      return place ?? (kind === "Namespace" ? [] : `${kind}/${textAt(object, "metadata", "name")}`);
    });
    const owner = textAt(fact, "owner")?.split("/").at(-1);
    const names = [textAt(fact, "resource_name"), owner].filter((name) => name !== undefined);
    singles.push({ one, names, places: [...new Set(places)] });
  }
  return singles;
}

const singles = await findSingles();
const given = process.argv.slice(2);
const show = Number(given[given.indexOf("--show") + 1] ?? 0);
for (const size of [8, 15, 30]) {
  let at = 0;
  let listed = 0;
  let total = 0;
  for (let round = 0; round < rounds; round++) {
    const used = new Set(["default", "kube-system"]);
    const picked: Single[] = [];
    // A step that has no factor in common with the number of cases visits all of them.
    while (picked.length < size && at < singles.length * 4) {
      const next = singles[(at++ * 37) % singles.length];
      if (next === undefined || next.places.some((place) => used.has(place))) continue;
      for (const place of next.places) used.add(place);
      picked.push(next);
    }
    const reader = createInMemoryReader({
      objects: picked.flatMap(({ one }) => shifted(one.objects, now - (one.now ?? now))),
      logs: Object.assign(
        {},
        ...picked.map(({ one }) => shifted(one.logs, now - (one.now ?? now))),
      ),
      now,
      partial: true,
    });
    const { answer = "" } = await createK8sLibrarian({ reader }).librarian(
      "what is wrong in the cluster right now?",
    );
    const missed = picked.filter(({ names }) => !names.some((name) => answer.includes(name)));
    total += picked.length;
    listed += picked.length - missed.length;
    if (given.includes("--misses")) for (const { one } of missed) console.log(`- ${one.id}`);
    if (given.includes("--show") && show === size && round === 0) console.log(answer);
  }
  console.log(`${size} at once: ${listed} of ${total} causes listed`);
}
