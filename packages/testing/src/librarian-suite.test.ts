import { spawnSync } from "node:child_process";
import type { Librarian } from "@constellation/core";
import { MeshError, withDeadline } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { librarianChecks } from "./librarian-checks.js";
import { itBehavesLikeALibrarian, type SuiteRunner } from "./librarian-suite.js";

const createGreeter =
  (greet: () => Promise<string>): Librarian =>
  async (query, context) => {
    try {
      if (query === "who?") throw new MeshError("NOT_FOUND", "It is not known.");
      const answer = await withDeadline({ signal: context?.signal }, greet);
      return { answer, confidence: 1, sources: [{ name: "manners" }] };
    } catch (thrown) {
      return { error: MeshError.from(thrown, "greeter").toInfo() };
    }
  };

const greeter = createGreeter(async () => "Hello.");

/** Keeps what is registered instead of running it. */
function recorder() {
  const tests: { title: string; skipped: boolean; test: () => Promise<void> }[] = [];
  const groups: string[] = [];
  const add = (skipped: boolean) => (title: string, test: () => Promise<void>) =>
    tests.push({ title, skipped, test });
  const runner: SuiteRunner = {
    describe: (title, register) => {
      groups.push(title);
      register();
    },
    it: Object.assign(add(false), { skip: add(true) }),
  };
  return { tests, groups, runner };
}

describe("itBehavesLikeALibrarian", () => {
  itBehavesLikeALibrarian({
    create: () => greeter,
    query: "hello",
    unanswerable: "who?",
    failing: (thrown) => createGreeter(() => Promise.reject(thrown)),
    hanging: () => createGreeter(() => new Promise(() => {})),
    without: ["delegation"],
  });

  it("registers a test for each check, under one heading", () => {
    const { tests, groups, runner } = recorder();

    itBehavesLikeALibrarian({ create: () => greeter, query: "hello" }, runner);

    expect(groups).toEqual(["behaves like a librarian"]);
    expect(tests).toHaveLength(librarianChecks.length);
  });

  it("skips what lacks an option, with the reason in the title", () => {
    const { tests, runner } = recorder();

    itBehavesLikeALibrarian({ create: () => greeter, query: "hello" }, runner);

    const skipped = tests.filter((test) => test.skipped);
    expect(skipped).toHaveLength(librarianChecks.filter(({ needs }) => needs).length);
    for (const { title } of skipped)
      expect(title).toMatch(/\(not run: it applies with `\w+`, .+\)$/);
  });

  it("says nothing of the parts it does without", () => {
    const { tests, runner } = recorder();

    itBehavesLikeALibrarian({ create: () => greeter, query: "q", without: ["delegation"] }, runner);

    expect(tests.filter(({ title }) => title.includes("CORE-076"))).toEqual([]);
  });

  it("registers tests that fail for a librarian that does not", async () => {
    const { tests, runner } = recorder();

    itBehavesLikeALibrarian({ create: () => async () => ({ answer: " " }), query: "q" }, runner);

    const [first] = tests;
    await expect(first?.test()).rejects.toThrow("the answer is blank");
  });

  it("runs in node:test, where there is no Vitest", () => {
    const script = `
      import { describe, it } from "node:test";
      import { itBehavesLikeALibrarian } from "@constellation/testing";
      const create = () => async () => ({ answer: "Hello.", confidence: 0.5 });
      itBehavesLikeALibrarian({ create, query: "q", without: ["sources", "cancel"] }, { describe, it });
      try {
        itBehavesLikeALibrarian({ create, query: "q" });
      } catch (thrown) {
        console.log("# without a runner:", thrown.name);
      }
    `;
    const { VITEST: _vitest, NODE_OPTIONS: _options, ...env } = process.env;

    const { stdout } = spawnSync(
      process.execPath,
      [
        ...["--conditions=@constellation/source", "--import", "tsx"],
        ...["--test-reporter=tap", "--input-type=module", "--eval", script],
      ],
      { cwd: import.meta.dirname, env, encoding: "utf8" },
    );

    expect(stdout).toMatch(/^ *ok \d+ - CORE-074 /m);
    expect(stdout).toMatch(/^ *not ok \d+ - CORE-069 /m);
    expect(stdout).toMatch(/^ *ok \d+ - CORE-077 .* # SKIP/m);
    expect(stdout).toContain("# without a runner: TypeError");
  });
});
