import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { catalogOf, entry } from "../../test/workflows.js";
import { describeProblem } from "./catalog.js";
import { createFileCatalog } from "./file-catalog.js";
import { readCatalogText } from "./read-catalog.js";
import { compareVersions, latestVersion } from "./versions.js";

const everyLabel = {
  signal_type: "OOMKilled",
  severity: "critical",
  component: "pod",
  environment: "production",
  priority: "P0",
  risk_tolerance: "low",
  business_category: "payment",
};

describe("an entry", () => {
  it("CAT-038 may be a full record; too long an id and labels as a list are refused", async () => {
    const full = entry("a", {
      name: "A",
      labels: everyLabel,
      parameters: [{ name: "N", type: "integer", required: true, min: 0, max: 3 }],
      content: "kind: Task",
    });
    const { workflows, problems } = await catalogOf(
      full,
      entry("b".repeat(256)),
      entry("c", { labels: ["severity:low"] }),
    );

    expect(workflows.map(({ id }) => id)).toEqual(["a"]);
    expect(workflows[0]?.parameters[0]).toMatchObject({ minimum: 0, maximum: 3 });
    expect(problems.map(({ key }) => key)).toEqual(["workflow_id", "labels"]);
  });

  it("CAT-039 is reported, and kept, when one of the seven labels is missing", async () => {
    const { priority: _, ...six } = everyLabel;
    const { workflows, problems } = await catalogOf(
      entry("a", { labels: six }),
      entry("b", { labels: everyLabel }),
    );

    expect(workflows).toHaveLength(2);
    expect(problems).toMatchObject([{ level: "warning", id: "a", key: "labels" }]);
    expect(problems[0]?.message).toContain("priority");
  });

  it.each([
    ["absent", undefined],
    ["empty", ""],
  ])("CAT-009 is refused, by its id, when its description is %s", async (_, description) => {
    const { workflows, problems } = await catalogOf(entry("a", { description }), entry("b"));

    expect(workflows.map(({ id }) => id)).toEqual(["b"]);
    expect(problems.find(({ level }) => level === "error")).toMatchObject({
      id: "a",
      key: "description",
    });
  });

  it.each(["critical", "very-high", "", "1", "[low, extreme]", "true"])(
    "with the risk %s is refused, with file, line and the valid values",
    (risk) => {
      const value = risk === "" ? '""' : risk;
      const text = `- workflow_id: a
  version: 1.0.0
  description: Does it.
  labels:
    environment: "*"
    kubernaut.io/risk-tolerance: ${value}
`;
      const { entries, problems } = readCatalogText(text, "flows.yaml");

      expect(entries).toEqual([]);
      expect(problems.map(describeProblem).join()).toMatch(
        /^flows\.yaml:6: a: labels\.kubernaut\.io\/risk-tolerance: expected low, medium, high or \*, got "/,
      );
      expect(readCatalogText(text.replace("  labels", "  custom_labels"), "x").entries).toEqual([]);
    },
  );

  it.each(["Low", " high ", "[low, medium]", '"*"'])("may have the risk %s", (risk) => {
    const labels = `{ risk_tolerance: ${risk.trim() === risk ? risk : `"${risk}"`} }`;
    const text = `{ workflow_id: a, version: "1", description: Does it., labels: ${labels} }`;

    expect(readCatalogText(text).entries).toHaveLength(1);
  });

  it("CAT-008 keeps its version as it is written", async () => {
    const { workflows } = await catalogOf(entry("a", { version: "v1.2" }), entry("b"));

    expect(workflows.map(({ version }) => version)).toEqual(["v1.2", "1.0.0"]);
  });

  it("CAT-007 counts once when id and version are there twice, and that is reported", async () => {
    const { workflows, problems } = await catalogOf(
      entry("a", { description: "First." }),
      entry("a", { description: "Second." }),
    );

    expect(workflows.map(({ description }) => description.what)).toEqual(["First."]);
    expect(problems.filter(({ level }) => level === "error")).toMatchObject([
      { id: "a", key: "version" },
    ]);
  });

  it("that is disabled is not in the catalog", async () => {
    const { workflows } = await catalogOf(entry("a", { disabled: true }), entry("b"));

    expect(workflows.map(({ id }) => id)).toEqual(["b"]);
  });

  it("shows what it does, of a description in four parts", async () => {
    const description = {
      what: "Restarts.",
      whenToUse: "u",
      whenNotToUse: "n",
      preconditions: "p",
    };
    const { workflows } = await catalogOf(entry("a", { description }));

    expect(workflows[0]).toMatchObject({ name: "a", description });
  });
});

describe("readCatalogText", () => {
  it("reports file, line and key of a bad entry, and keeps the others", () => {
    const text = `workflows:
  - workflow_id: good
    version: "1"
    description: Good.
    labels: {}
  - workflow_id: bad
    version: "1"
    description: Bad.
    labels: {}
    parameters:
      - name: A
        type: text
`;
    const { entries, problems } = readCatalogText(text, "c.yaml");
    const [error] = problems.filter(({ level }) => level === "error");

    expect(entries.map(({ workflow }) => workflow.id)).toEqual(["good"]);
    expect(error).toMatchObject({ file: "c.yaml", line: 12, id: "bad", key: "parameters.0.type" });
    expect(error && describeProblem(error)).toContain("c.yaml:12: bad: parameters.0.type: ");
  });

  it("reads several documents, lists, single entries and playbooks, and reports what is not YAML", () => {
    const one = (id: string) => `{ id: ${id}, version: "1", description: D, labels: {} }`;

    const ids = (text: string) => readCatalogText(text).entries.map(({ workflow }) => workflow.id);
    expect(ids(`${one("a")}\n---\n- ${one("b")}\n---\nplaybooks:\n  - ${one("c")}\n---\n`)).toEqual(
      ["a", "b", "c"],
    );
    expect(ids("")).toEqual([]);
    expect(readCatalogText("a: [", "x.yaml").problems).toMatchObject([{ file: "x.yaml", line: 1 }]);
  });
});

describe("createFileCatalog", () => {
  it("reads a folder, follows its changes, and keeps a version as it was first read", async () => {
    const root = await mkdtemp(join(tmpdir(), "catalog-"));
    onTestFinished(() => rm(root, { recursive: true }));
    await mkdir(join(root, "more"));
    await writeFile(join(root, "a.json"), JSON.stringify(entry("a")));
    await writeFile(
      join(root, "more", "b.yml"),
      `{ id: b, version: "1", description: B, labels: {} }`,
    );
    const store = createFileCatalog(root, { refreshMs: 0 });

    const first = await store.read();
    expect(first.workflows.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(await store.read()).toBe(first);

    const changed = entry("a", { description: "Does something else." });
    await writeFile(
      join(root, "a.json"),
      JSON.stringify([changed, entry("a", { version: "1.1.0" })]),
    );
    const { workflows, problems } = await store.read();
    expect(workflows.map(({ version, description }) => [version, description.what])).toEqual([
      ["1.0.0", "Does a."],
      ["1.1.0", "Does a."],
      ["1", "B"],
    ]);
    expect(problems.filter(({ level }) => level === "error")).toMatchObject([
      { file: "a.json", id: "a" },
    ]);
  });

  it("rejects for a folder that is not there", async () => {
    await expect(createFileCatalog("no/such/folder").read()).rejects.toThrow("ENOENT");
  });
});

describe("versions", () => {
  it("compare as semver, v and missing parts aside, a prerelease before its release", () => {
    expect(latestVersion(["1.9.0", "1.10.0", "v1.2"])).toBe("1.10.0");
    expect(latestVersion(["1.0.0-rc.1", "1.0.0-rc.10", "1.0.0-rc.2"])).toBe("1.0.0-rc.10");
    expect(latestVersion(["nightly", "0.0.1"])).toBe("0.0.1");
    expect(latestVersion([])).toBeUndefined();
    expect(compareVersions("v1", "1.0.0")).toBe(0);
    expect(compareVersions("1.0.0-rc.1", "1.0.0")).toBeLessThan(0);
  });
});
