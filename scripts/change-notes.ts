/**
 * Asks changesets whether every change since the main branch has its note. Compares with the
 * remote's main branch where there is one, so that it works in a pull request's checkout too.
 */
import { spawnSync } from "node:child_process";

const base = ["origin/main", "main"].find(
  (branch) => spawnSync("git", ["merge-base", branch, "HEAD"]).status === 0,
);

if (base === undefined) {
  console.log("No main branch to compare with (a shallow clone?): change notes were not checked.");
} else {
  const { status } = spawnSync("changeset", ["status", "--since", base], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
