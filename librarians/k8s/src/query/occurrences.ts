import type { LookedUp } from "../answer/forms.js";
import { textAt } from "../cluster/fields.js";
import { printMoment } from "../diagnosis/age.js";
import { isInState } from "../fields/states.js";
import { stateIn } from "../question/state-words.js";
import type { LookupScope } from "./lookup-scope.js";

/** Letters that a word and the reason of an event share: "evicted", `Evicted`; "failed", `FailedMount`. */
const minStem = 4;

/** How often something happened: by events whose reason has a word of the question, and by objects that are in that state. */
export function countOccurrences(
  words: readonly string[],
  { objects, named, subject, view }: LookupScope,
): LookedUp {
  const stems = words
    .filter((word) => word.length >= minStem)
    .map((word) => word.slice(0, minStem + 1));
  const isMeant = (reason: string) => stems.some((stem) => reason.toLowerCase().includes(stem));
  const all = [...new Set([...named, ...objects])];
  const events = all.flatMap((object) =>
    view.events(object).flatMap((event) => (isMeant(event.reason) ? [{ object, event }] : [])),
  );
  const state = stateIn(words.join(" "));
  const left = all.filter(
    (object) =>
      isMeant(textAt(object, "status", "reason") ?? "") ||
      (state !== undefined &&
        object.kind !== "Pod" &&
        isMeant(state) &&
        isInState(object, state, { query: "", broken: new Set() }) === true),
  );
  const counted = events.reduce((sum, { event }) => sum + Math.max(1, event.count), 0);
  const times = Math.max(counted, left.length);
  const last = events.flatMap(({ event }) => event.lastSeen ?? []).sort((a, b) => b - a)[0];
  return {
    head:
      times === 0
        ? `${subject}: nothing of that is recorded; events expire, by default after an hour, so it may have happened before`
        : `${subject}: ${times} ${times === 1 ? "time" : "times"}${last === undefined ? "" : `, the last one ${printMoment(last, view.now)} UTC`}, by ${left.length >= counted ? `${left.length} objects that are left` : "events"}`,
    lines: [
      ...left.map((of) => ({ of, text: textAt(of, "status", "reason") ?? "" })),
      ...events.map(({ object: of, event: { reason, count } }) => ({
        of,
        text: `${reason}, ${count} times`,
      })),
    ],
    objects: [...new Set([...left, ...events.map(({ object }) => object)])],
    by: [],
  };
}
