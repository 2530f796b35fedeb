import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ClusterReader } from "../src/cluster/cluster-reader.js";
import { createK8sLibrarian } from "../src/k8s-librarian.js";
import { loadFile } from "./load-case.js";
import { scoreCase } from "./score.js";

const cases = ["dev", "dev-former", "dev-later"].flatMap((name) =>
  loadFile(fileURLToPath(new URL(`cases/${name}.jsonl`, import.meta.url))),
);

describe("a reader whose lists cost", () => {
  it("is answered from as from one that gives everything", async () => {
    const wrong: string[] = [];
    let selective = 0;
    for (const one of cases) {
      let isWide = false;
      const reader: ClusterReader = {
        ...one.reader,
        isSelective: true,
        events(options) {
          isWide ||= options?.about === undefined;
          return one.reader.events(options);
        },
      };
      const ask = async (from: ClusterReader) =>
        scoreCase(one, await createK8sLibrarian({ reader: from }).librarian(one.question));
      const [whole, part] = [await ask(one.reader), await ask(reader)];
      if (!isWide) selective++;
      if (whole.got !== part.got || whole.right !== part.right)
        wrong.push(`${one.id}: ${whole.got} and ${part.got}`);
    }

    expect(wrong).toEqual([]);
    expect(selective).toBeGreaterThan(cases.length / 10);
  });
});
