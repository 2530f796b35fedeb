import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { citationsIn, readCitations } from "./citations.js";
import { type PendingGroup, partly, pending } from "./pending.js";

/** What these tests read of `requirements.yaml`. */
interface Promises {
  readonly seeds: readonly { readonly prefixes: readonly string[] }[];
  readonly resolutions: readonly {
    readonly id: string;
    readonly contradiction: string;
    readonly decision: string;
  }[];
  readonly requirements: readonly Requirement[];
}

interface Requirement {
  readonly id: string;
  readonly level: string;
  readonly source: string;
  readonly statement: string;
  readonly check: string;
}

const promises: Promises = parse(
  readFileSync(new URL("requirements.yaml", import.meta.url), "utf8"),
);
const prefixes = promises.seeds.flatMap((seed) => seed.prefixes);
const ids = promises.requirements.map(({ id }) => id);
const resolutionIds = promises.resolutions.map(({ id }) => id);
const citations = readCitations(prefixes);
const cited = new Set(citations.map(({ id }) => id));
const pendingIds = idsOf(pending);
const partlyIds = idsOf(partly);

describe("requirements.yaml", () => {
  it("lists no id twice", () => {
    expect(repeated([...ids, ...resolutionIds])).toEqual([]);
  });

  it("says of each promise what it is, where it is from and how to check it", () => {
    const incomplete = promises.requirements.filter(
      ({ id, level, source, statement, check }) =>
        !prefixes.some((prefix) => new RegExp(`^${prefix}-\\d{3}$`).test(id)) ||
        !["must", "should", "may"].includes(level) ||
        ![source, statement, check].every((text) => typeof text === "string" && text !== ""),
    );

    expect(incomplete).toEqual([]);
  });

  it("names in its sources no resolution that is not listed", () => {
    const named = promises.requirements.flatMap(({ source }) => source.match(/RES-\d{2}/g) ?? []);

    expect(named.filter((id) => !resolutionIds.includes(id))).toEqual([]);
  });
});

describe("the promises", () => {
  it("are each cited by a test, or pending", () => {
    const allowed = new Set(pendingIds);

    expect(ids.filter((id) => !cited.has(id) && !allowed.has(id))).toEqual([]);
  });

  it("that are cited are all listed", () => {
    const known = new Set([...ids, ...resolutionIds]);

    expect(citations.filter(({ id }) => !known.has(id))).toEqual([]);
  });
});

describe("the pending list", () => {
  it("holds no promise that a test cites: take it off", () => {
    const waiting = new Set(pendingIds);

    expect(citations.filter(({ id }) => waiting.has(id))).toEqual([]);
  });

  it("calls no promise partly shown that no test cites", () => {
    expect(partlyIds.filter((id) => !cited.has(id))).toEqual([]);
  });

  it("names listed promises only, and each once", () => {
    const all = [...pendingIds, ...partlyIds];

    expect(all.filter((id) => !ids.includes(id))).toEqual([]);
    expect(repeated(all)).toEqual([]);
  });

  it("gives each group its reason, in one line", () => {
    expect([...pending, ...partly].filter(({ reason }) => !/^\S.*\.$/.test(reason))).toEqual([]);
  });
});

describe("citationsIn", () => {
  const read = (source: string) => citationsIn(source, "a.test.ts", ["AB"]).map(({ id }) => id);

  it("reads titles of it, test and describe, in whatever form they are called", () => {
    const source = `
      describe("AB-001 x", () => {
        it("AB-002, AB-003: x", () => {});
        test.each([1])(\`\${x} AB-004 %s\`, () => {});
        it.only.each\`a\`("AB-005", () => {});
      });`;

    expect(read(source)).toEqual(["AB-001", "AB-002", "AB-003", "AB-004", "AB-005"]);
  });

  it("reads the arguments of covers, known or not", () => {
    expect(read(`it("x", () => { covers("AB-001", "CD-002"); });`)).toEqual(["AB-001", "CD-002"]);
  });

  it("reads what the suite of librarians checks, as far as its options allow", () => {
    const cites = (options: string) =>
      citationsIn(`itBehavesLikeALibrarian({ ${options} });`, "a.test.ts", ["CORE"]).map(
        ({ id }) => id,
      );

    expect(cites("create, query, outOfDomain: other")).toEqual(
      expect.arrayContaining(["CORE-074", "CORE-076", "CORE-078"]),
    );
    expect(cites("create, query")).not.toContain("CORE-076");
    expect(cites(`create, query, without: ["no-ai"]`)).not.toContain("CORE-078");
  });

  it("reads nothing of tests that are skipped or to do, and of what is in them", () => {
    const source = `
      it.todo("AB-001");
      it.skip.each([1])("AB-002", () => {});
      describe.skipIf(!hasData)("x", () => { it("AB-005", () => {}); });
      it.runIf(isLinux)("AB-006", () => {});
      describe.skip("x", () => { it("AB-003", () => { covers("AB-004"); }); });`;

    expect(read(source)).toEqual([]);
  });

  it("reads no comment, no other text and no other number", () => {
    const source = `
      // it("AB-001")
      const text = "AB-002";
      it("AB-0030 and RFC-791", () => { expect("AB-004").toBe(text); });`;

    expect(read(source)).toEqual([]);
  });
});

function idsOf(groups: readonly PendingGroup[]): readonly string[] {
  return groups.flatMap((group) => group.ids);
}

function repeated(all: readonly string[]): readonly string[] {
  return all.filter((id, index) => all.indexOf(id) !== index);
}
