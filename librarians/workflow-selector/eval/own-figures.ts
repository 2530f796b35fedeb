/** node eval/own-figures.ts [dev|dev-later|held-out]: figures over the cases of our own, with the observed facts and from the alert alone. */
import { readOwnCases, runOwnCases, splits } from "./own-cases.js";

const split = splits.find((one) => one === process.argv[2]) ?? "dev";
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
