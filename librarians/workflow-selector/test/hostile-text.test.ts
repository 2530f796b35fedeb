import { createRouter } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { createMemoryCatalog, createWorkflowSelectorLibrarian } from "../src/index.js";
import { entry } from "./workflows.js";

const evil =
  "\u001b[31mred\u001b]0;title\u0007 \u202Eexe.gnp\u202C zero\u200Bwidth\u2028next " +
  "![pixel](http://evil.example/?q=1) [click](javascript:alert(1)) [ref][r] [r]: http://evil.example " +
  "<img src=x> `code";

/** What Markdown would show as an image, a link or HTML. */
const harmful = /!\[|\]\(|\]\[|\]:|<img/;
/** What people do not see: terminal sequences, zero-width and bidirectional characters, other line separators. */
const hidden = /[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u;

async function answerFor(facts: object, workflow: Readonly<Record<string, unknown>> = {}) {
  const router = createRouter();
  router.register(
    createWorkflowSelectorLibrarian({
      store: createMemoryCatalog([
        entry("restart", {
          description: "Restarts a container whose program exits again and again: a crash loop.",
          labels: { environment: "production", risk_tolerance: "low" },
          parameters: [{ name: "CONTAINER", type: "string", required: true }],
          ...workflow,
        }),
      ]),
    }),
  );
  return router.ask("Which workflow?", { metadata: { facts: [facts] }, observed: true });
}

describe("text of others in an answer", () => {
  const crash = { signal_type: "CrashLoopBackOff", environment: "production" };

  it("is harmless where the facts hold it", async () => {
    const { answer, sources } = await answerFor({
      ...crash,
      error_message: `Back-off. ${evil}`,
      container: evil,
      resource_kind: `Stateful${evil}`,
      resource_name: evil,
      namespace: evil,
    });
    expect(answer).toContain("** is proposed");
    expect(outsideCode(answer)).not.toMatch(harmful);
    expect(answer).not.toMatch(hidden);
    expect(sources?.map(({ name }) => name).join()).not.toMatch(hidden);
  });

  it("is harmless where the catalog holds it", async () => {
    const { answer, sources } = await answerFor(crash, {
      workflow_id: `restart ${evil}`.slice(0, 250),
      description: `Restarts a container whose program exits again and again: a crash loop. ${evil}`,
      parameters: [{ name: evil, type: "string", required: true }],
    });
    expect(answer).toContain("** is proposed");
    expect(outsideCode(answer)).not.toMatch(harmful);
    expect(answer).not.toMatch(hidden);
    expect(sources?.map(({ name }) => name).join()).not.toMatch(hidden);
  });
});

/** Markdown shows what is quoted as code as it is: no image, no link. */
function outsideCode(answer = ""): string {
  return answer.replace(/`[^`\n]*`/g, "");
}
