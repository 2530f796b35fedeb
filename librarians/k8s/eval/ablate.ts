/**
 * What each detector is worth: it is left out, and every case in which it speaks is answered again.
 *
 *     npm run ablate -w librarians/k8s -- FOLDER...
 *
 * The folders hold sets as `eval:apart` reads them. Prints for each detector in how many cases it speaks, how many answers
 * are right only with it, how many only without it, and how many begin with another finding. One that changes nothing can go.
 */
import { resolve } from "node:path";
import type { Response } from "@constellation/core";
import { listAt, textAt } from "../src/cluster/fields.js";
import type { Detector } from "../src/diagnosis/detector.js";
import { detectorTable } from "../src/diagnosis/detectors.js";
import { openSet, scoreOne } from "./apart-set.js";

const folders = process.argv.slice(2).map((one) => resolve(process.env.INIT_CWD ?? "", one));
const files = ["broken", "healthy", "unknowable"];

interface Answered {
  readonly right: boolean;
  readonly first: string;
}

let silent: string | undefined;
let spoke = new Set<string>();
for (const groups of detectorTable)
  for (const group of groups as Detector[][])
    for (const [index, detect] of group.entries())
      group[index] = (...given) => {
        if (detect.name === silent) return [];
        const found = [detect(...given) ?? []].flat();
        if (found.length > 0) spoke.add(detect.name);
        return found;
      };

const judge = (file: string, one: unknown, response: Response): Answered => ({
  right: scoreOne(file, one, response).wrong.length === 0,
  first: textAt(listAt(response.metadata, "facts")[0], "signal_type") ?? "",
});

const worth = new Map<string, { spoke: number; lost: number; won: number; other: number }>();
for (const folder of folders) {
  const set = openSet(folder);
  for (const file of files)
    for (const one of set.load(file)) {
      const ask = async () =>
        judge(file, one, await set.ask(textAt(one, "id") ?? "", textAt(one, "question") ?? ""));
      silent = undefined;
      spoke = new Set();
      const whole = await ask();
      for (const name of [...spoke]) {
        silent = name;
        const without = await ask();
        const row = worth.get(name) ?? { spoke: 0, lost: 0, won: 0, other: 0 };
        row.spoke += 1;
        if (whole.right && !without.right) row.lost += 1;
        if (!whole.right && without.right) row.won += 1;
        if (whole.first !== without.first) row.other += 1;
        worth.set(name, row);
      }
    }
  set.close();
}
for (const [name, row] of [...worth].sort(([, a], [, b]) => a.lost - b.lost))
  console.log(
    `${name}: speaks in ${row.spoke}, right only with it ${row.lost}, only without ${row.won}, another first finding ${row.other}`,
  );
