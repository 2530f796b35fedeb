import { describe, expect, it, vi } from "vitest";
import { outOfDomainExample, patternPages, patternResponses } from "../../eval/format-patterns.js";
import type { KnowledgeBaseView } from "./knowledge-base-view.js";
import { createMemoryKnowledgeBase } from "./knowledge-base-view.js";
import type { NavigatorResponse } from "./navigator-response.js";
import { validateNavigatorResponse } from "./validate-navigator-response.js";

const knowledgeBase = createMemoryKnowledgeBase(patternPages);
const [rollback] = patternResponses;
const podErrors = {
  file: "troubleshooting/pod-errors.md",
  section: "CrashLoopBackOff Debugging",
  relevance: "Provides the steps for CrashLoopBackOff errors",
};

/** A response that says something about pod errors, with other values in some fields. */
function response(fields: Partial<NavigatorResponse> = {}): NavigatorResponse {
  return {
    answer: "Look at the exit code in the logs (troubleshooting/pod-errors.md).",
    sources: [podErrors],
    confidence: "high",
    confidenceReason: "The cited section gives the steps",
    outOfDomain: false,
    ...fields,
  };
}

function check(fields: Partial<NavigatorResponse>, query?: string) {
  const { errors, warnings } = validateNavigatorResponse(response(fields), knowledgeBase, {
    query,
  });
  return { errors: errors.map(nameOf), warnings: warnings.map(nameOf) };
}

function nameOf({ rule, value }: { rule: string; value: string }): string {
  return `${rule}: ${value}`;
}

const clean = { errors: [], warnings: [] };

describe("validateNavigatorResponse", () => {
  it.each(patternResponses.map((each, index) => [index + 1, each] as const))(
    "NAV-012, NAV-029, NAV-030, NAV-031: finds nothing against pattern %i with its files there",
    (_, pattern) => {
      const found = validateNavigatorResponse(pattern, knowledgeBase);

      expect(found).toEqual({ valid: true, response: pattern, errors: [], warnings: [] });
    },
  );

  it("NAV-031: finds no error in the out-of-domain example", () => {
    expect(validateNavigatorResponse(outOfDomainExample, knowledgeBase).errors).toEqual([]);
  });

  it("NAV-040: reports one error when one of the cited files is missing", () => {
    for (const missing of rollback.sources.map(({ file }) => file)) {
      const { [missing]: _left, ...pages } = patternPages;

      const { valid, errors } = validateNavigatorResponse(
        rollback,
        createMemoryKnowledgeBase(pages),
      );

      expect(valid).toBe(false);
      expect(errors.map(nameOf)).toEqual([`source-existence: ${missing}`]);
    }
  });

  it("names field, level and reason of what it finds", () => {
    const { valid, errors } = validateNavigatorResponse(
      response({ sources: [podErrors, { ...podErrors, file: "ghost.md" }] }),
      knowledgeBase,
    );

    expect(valid).toBe(false);
    expect(errors).toEqual([
      {
        rule: "source-existence",
        level: "error",
        field: "sources[1].file",
        value: "ghost.md",
        message: expect.stringContaining("ghost.md"),
      },
    ]);
  });

  describe("the form", () => {
    it.each([
      ["nothing", undefined],
      ["text", "answer"],
      ["a list", []],
      ["a function", () => rollback],
      ["a response without its answer", { ...rollback, answer: undefined }],
    ])("refuses %s", (_, value) => {
      const found = validateNavigatorResponse(value, knowledgeBase);

      expect(found.valid).toBe(false);
      expect(found.response).toBeUndefined();
      expect(found.errors[0]?.rule).toBe("schema");
    });

    it("refuses what throws when it is read", () => {
      const value = {
        get answer(): string {
          throw new Error("no");
        },
      };

      expect(validateNavigatorResponse(value, knowledgeBase)).toMatchObject({
        valid: false,
        errors: [{ rule: "schema" }],
      });
    });

    it("names the field of each problem", () => {
      const value = { ...rollback, sources: [{ ...podErrors, section: 1 }], confidence: "High" };

      const { errors } = validateNavigatorResponse(value, knowledgeBase);

      expect(errors.map(({ field }) => field)).toEqual(["sources[0].section", "confidence"]);
    });

    it.each([
      ["answer", { answer: "a ".repeat(60_000) }],
      ["sources", { sources: Array.from({ length: 201 }, () => podErrors) }],
      ["sources[0]", { sources: [{ ...podErrors, section: "a".repeat(5_000) }] }],
      ["confidenceReason", { confidenceReason: "a ".repeat(3_000) }],
    ])("refuses a larger %s than it can check", (field, fields) => {
      const { errors } = validateNavigatorResponse(response(fields), knowledgeBase);

      expect(errors).toMatchObject([{ rule: "limits", field }]);
      expect(errors[0]?.value.length).toBeLessThanOrEqual(200);
    });

    it("refuses an answer with more to look up than it will look up", () => {
      const answer = Array.from({ length: 11 }, (_, index) => `--flag-${index}`).join(" ");

      const { errors } = validateNavigatorResponse(response({ answer }), knowledgeBase, {
        maxTokens: 10,
      });

      expect(errors).toMatchObject([{ rule: "limits" }]);
    });

    it("throws for a value that is not a limit", () => {
      expect(() => validateNavigatorResponse(rollback, knowledgeBase, { maxTokens: 0 })).toThrow(
        RangeError,
      );
    });

    it("throws for an unknown option and suggests the known one", () => {
      const options = { mostTokens: 10 } as object;

      expect(() => validateNavigatorResponse(rollback, knowledgeBase, options)).toThrow(
        'unknown key "mostTokens". Did you mean "maxTokens"?',
      );
    });
  });

  describe("what is cited", () => {
    it.each(["/etc/passwd", "../x.md", "C:\\x.md", "https://x", "%2e%2e/x.md", "a\0.md"])(
      "NAV-014: refuses %j, which is not a path inside the root",
      (file) => {
        const { errors } = check({ sources: [{ ...podErrors, file }] });

        expect(errors).toEqual([`containment: ${file}`]);
      },
    );

    it("NAV-014, NAV-015: takes a path inside the root, with a heading that is there", () => {
      expect(check({})).toEqual(clean);
    });

    it("NAV-032: refuses a file that is not there", () => {
      const { errors } = check({ sources: [{ ...podErrors, file: "ghost.md" }] });

      expect(errors).toEqual(["source-existence: ghost.md"]);
    });

    it("refuses a file in another case, whatever the view makes of it", () => {
      const careless: KnowledgeBaseView = { ...knowledgeBase, hasFile: () => true };
      const file = "troubleshooting/Pod-Errors.md";

      const { errors } = validateNavigatorResponse(
        response({ sources: [{ ...podErrors, file }] }),
        careless,
      );

      expect(errors.map(({ rule }) => rule)).toEqual(["source-existence"]);
    });

    it.each(["No Such Heading", ""])("NAV-015: refuses the section %j", (section) => {
      const { errors, warnings } = check({ sources: [{ ...podErrors, section }] });

      expect(errors).toEqual([`section-existence: ${section}`]);
      expect(warnings).toEqual([]);
    });

    it.each(["", "  ", "relevant", "..."])("NAV-016: refuses the relevance %j", (relevance) => {
      const { errors } = check({ sources: [{ ...podErrors, relevance }] });

      expect(errors).toEqual([`relevance: ${relevance}`]);
    });

    it("refuses placeholders wherever they stand", () => {
      const { errors } = check({
        sources: [{ ...podErrors, relevance: "TBD: says how to debug" }],
        relatedTopics: ["[insert topic]"],
        confidenceReason: "The section has all steps, TODO count them.",
      });

      expect(errors.map((error) => error.split(":")[0])).toEqual(Array(3).fill("hallucination"));
    });

    it("NAV-036: refuses an answer that shares no word with its sources", () => {
      const { errors } = check({ answer: "Knead flour, yeast and water, then bake bread." });

      expect(errors.map((error) => error.split(":")[0])).toContain("source-answer-alignment");
    });

    it.each([
      "crashloopbackoff  debugging",
      "`CrashLoopBackOff` Debugging",
      "## CrashLoopBackOff Debugging",
      "#crashloopbackoff-debugging",
      "Pod errors > CrashLoopBackOff Debugging",
    ])("takes %j for the heading it means", (section) => {
      expect(check({ sources: [{ ...podErrors, section }] })).toEqual(clean);
    });
  });

  describe("the answer and its reasons", () => {
    it("NAV-010: warns of an answer that names none of the files it cites", () => {
      const bad = check({ answer: "You can look at the exit code by updating the config file." });

      expect(bad.warnings[0]).toMatch(/^inline-citation/);
      expect(check({ answer: "See the exit code in the logs, says pod-errors.md." })).toEqual(
        clean,
      );
    });

    it("NAV-013: refuses empty sources that nothing explains", () => {
      const sources: NavigatorResponse["sources"] = [];
      const rules = ({ errors }: { errors: string[] }) => errors.map((each) => each.split(":")[0]);

      expect(rules(check({ sources, answer: "Restart the pod." }))).toEqual([
        "unexplained-empty-sources",
      ]);
      expect(check({ sources, answer: "I don't have information about x." })).toEqual(clean);
      expect(check({ sources, outOfDomain: true, answer: "Ask others." })).toEqual(clean);
    });

    it("NAV-023: refuses a reason that says nothing", () => {
      for (const confidenceReason of ["Seems right", "I am very sure", "this is right, trust me"]) {
        const { errors } = check({ confidenceReason });

        expect(errors).toEqual([`confidence-justification: ${confidenceReason}`]);
      }
    });

    it.each([
      "High confidence: deployment.md provides explicit step-by-step instructions with exact command syntax in the SSL Configuration section.",
      "Medium confidence: multiple files mention this feature but with slightly different implementation details. Synthesized the common approach.",
      "Low confidence: found only indirect references in monitoring docs. The specific parameter isn't explicitly documented.",
      "Question clearly outside configured domain",
    ])("NAV-023: takes the reason %j", (confidenceReason) => {
      expect(check({ confidenceReason }).errors).toEqual([]);
    });

    it("NAV-036: warns of an answer whose sources are about something else", () => {
      const answer = "Bake bread with flour, yeast, water and salt (pod-errors.md).";

      const { errors, warnings } = check({ answer });

      expect(errors).toEqual([]);
      expect(warnings).toEqual([`source-answer-alignment: ${answer}`]);
    });

    it("NAV-036: warns of one sentence that the sources do not have", () => {
      const stray = "Bake bread with flour, yeast, water and salt.";
      const answer = `Run \`kubectl logs <pod> --previous\` and look at the exit code, says pod-errors.md. ${stray}`;

      expect(check({ answer }).warnings).toEqual([`source-answer-alignment: ${stray}`]);
    });

    it("NAV-037: warns of sources on an answer that is out of domain", () => {
      expect(check({ outOfDomain: true })).toEqual({
        errors: [],
        warnings: ["out-of-domain-logic: troubleshooting/pod-errors.md"],
      });
    });
  });

  describe("what the answer makes up", () => {
    const says = (text: string) => `${text} See the exit code in the logs (pod-errors.md).`;

    it("NAV-033: refuses a path that is not there", () => {
      const { errors } = check({ answer: says("It is in deployment/ghost.md.") });

      expect(errors).toEqual(["hallucination: deployment/ghost.md"]);
    });

    it("NAV-034: refuses an ARN that stands nowhere, and warns of one that no cited section has", () => {
      const access = { ...podErrors, section: "Access" };
      const reader = "arn:aws:iam::123456789012:role/pod-reader";

      expect(check({ answer: says("It is arn:aws:iam::123456789012:role/x.") }).errors).toEqual([
        "hallucination: arn:aws:iam::123456789012:role/x",
      ]);
      expect(check({ answer: says(`It is ${reader}.`) })).toEqual({
        errors: [],
        warnings: [`hallucination: ${reader}`],
      });
      expect(check({ answer: says(`It is ${reader}.`), sources: [podErrors, access] })).toEqual(
        clean,
      );
    });

    it("NAV-035: refuses a command that stands nowhere, and warns of one that no cited section has", () => {
      expect(check({ answer: says("Run `kubectl nuke all`.") }).errors).toEqual([
        "hallucination: kubectl nuke all",
      ]);
      expect(check({ answer: says("Run `kubectl rollout undo`.") })).toEqual({
        errors: [],
        warnings: ["hallucination: kubectl rollout undo"],
      });
      expect(check({ answer: says("Run `kubectl logs <pod> --previous`.") })).toEqual(clean);
    });

    it("says which kind of token it is", () => {
      const { errors } = validateNavigatorResponse(
        response({ answer: says("Set --turbo.") }),
        knowledgeBase,
      );

      expect(errors).toMatchObject([{ pattern: "flag", field: "answer", value: "--turbo" }]);
    });

    it("refuses a number with a unit, or a version, that stands only in another section", () => {
      const pages = createMemoryKnowledgeBase({
        "a.md":
          "# A\n\n## Cited\n\nIt waits for a while.\n\n## Other\n\nIt waits 45s since v2.3.\n",
      });
      const sources = [{ file: "a.md", section: "Cited", relevance: "It says so" }];
      const answer = "It waits for 45 seconds since v2.3 (a.md).";

      const { errors } = validateNavigatorResponse(response({ answer, sources }), pages);

      expect(errors.map(({ value }) => value)).toEqual(["v2.3", "45 seconds"]);
    });

    it("does not call made up what is in the question, but warns when the answer affirms it", () => {
      const query = "does kubectl nuke all work with --turbo for 45 seconds?";
      const denied = says("There is no `kubectl nuke all`, and no --turbo for 45s.");

      expect(check({ answer: denied }, query)).toEqual(clean);
      expect(check({ answer: says("Yes, use --turbo.") }, query)).toEqual({
        errors: [],
        warnings: ["hallucination: --turbo"],
      });
    });

    it("only warns of what the answer says it knows nothing of", () => {
      const answer = says("I have no information about `kubectl nuke all`.");

      expect(check({ answer })).toEqual({
        errors: [],
        warnings: ["hallucination: kubectl nuke all"],
      });
    });

    it("is not fooled by a lack that is stated elsewhere in the sentence", () => {
      const answer = says("I have no information about that, but `kubectl nuke all` does it.");

      expect(check({ answer }).errors).toEqual(["hallucination: kubectl nuke all"]);
    });

    it("reports each token once", () => {
      const { errors } = check({ answer: says("Set --turbo. Then --turbo. Then --turbo.") });

      expect(errors).toEqual(["hallucination: --turbo"]);
    });

    it("only warns of made-up paths and commands in reasons and topics", () => {
      const { errors, warnings } = check({
        confidenceReason: "Stated in deployment/ghost.md in so many words",
        relatedTopics: ["deployment/other-ghost.md"],
      });

      expect(errors).toEqual([]);
      expect(warnings).toEqual([
        "hallucination: deployment/ghost.md",
        "hallucination: deployment/other-ghost.md",
      ]);
    });
  });

  it("reads each page of a knowledge base once, and only when it must", () => {
    const sections = vi.fn(knowledgeBase.sections);
    const view: KnowledgeBaseView = { ...knowledgeBase, sections };

    validateNavigatorResponse(response(), view);
    validateNavigatorResponse(response(), view);
    expect(sections).toHaveBeenCalledTimes(1);

    for (let times = 0; times < 3; times++) {
      validateNavigatorResponse(response({ answer: "Set --turbo." }), view);
    }
    expect(sections).toHaveBeenCalledTimes(Object.keys(patternPages).length);
  });
});
