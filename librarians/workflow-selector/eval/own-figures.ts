/** node eval/own-figures.ts [dev|held-out]: figures over the cases of our own, with the observed facts and from the alert alone. */
import { readOwnCases, runOwnCases, type Split } from "./own-cases.js";

const split: Split = process.argv[2] === "held-out" ? "held-out" : "dev";
const cases = readOwnCases(split);
for (const source of ["caller", "none"] as const) {
  const outcomes = await runOwnCases(cases, source);
  const named = outcomes.filter(({ namesNone }) => !namesNone);
  const none = outcomes.filter(({ namesNone }) => namesNone);
  const unseen = outcomes.filter(({ isRight, isReviewed }) => !isRight && !isReviewed);
  const count = (list: readonly { readonly isRight: boolean }[]) =>
    `${list.filter(({ isRight }) => isRight).length} of ${list.length}`;
  console.log(
    `${split}, ${source === "caller" ? "with observed facts" : "from the alert alone"}: right ${count(named)}; none, or a person looks ${count(none)}; forbidden without a person ${outcomes.filter(({ isForbidden, isReviewed }) => isForbidden && !isReviewed).length}; wrong without a person ${unseen.length}; right without a person ${named.filter(({ isRight, isReviewed }) => isRight && !isReviewed).length}`,
  );
}
