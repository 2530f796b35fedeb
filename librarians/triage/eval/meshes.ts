import { createRouter, type LibrarianDefinition, type Router } from "@constellation/core";
import type { Embedder } from "@constellation/retrieval";
import { askRouter, type EvalReport, runEval } from "@constellation/testing/evals";
import { createTriageLibrarian } from "../src/index.js";
import { delegates } from "./delegates.js";
import { type QuestionSet, readQuestions } from "./questions.js";

/** The same four librarians below two triages below one. */
const groups = { operations: ["k8s", "workflow-selector"], reading: ["docs", "rag-advisory"] };

/** Asks all questions of a set of one triage, and of a triage over two. */
export async function evaluate(
  set: QuestionSet,
  embedder: Embedder | undefined,
): Promise<{ readonly report: EvalReport; readonly twoLevels: EvalReport }> {
  const options = { ...(embedder && { embedder, embeddingTimeoutMs: 30_000 }) };
  const limits = { entry: "triage", timeoutMs: 600_000 }; // a busy machine embeds late, never in vain
  const flat = createRouter(limits);
  flat.register(createTriageLibrarian(options));
  const nested = createRouter(limits);
  nested.register(createTriageLibrarian({ ...options, delegatesTo: Object.keys(groups) }));
  for (const [id, delegatesTo] of Object.entries(groups)) {
    nested.register(createTriageLibrarian({ ...options, id, delegatesTo }));
  }
  for (const router of [flat, nested]) {
    for (const { description = "", ...info } of delegates) {
      const librarian: LibrarianDefinition["librarian"] = async () => ({ answer: info.id });
      router.register({ ...info, description, librarian });
    }
    for (const { id, capabilities } of router.list()) {
      const isTriage = capabilities?.includes("delegation.members") === true;
      if (embedder !== undefined && isTriage) await warmUp(router, id);
    }
  }
  const reports = [flat, nested].map((router) => runEval(askRouter(router), readQuestions(set)));
  const [report, twoLevels] = await Promise.all(reports);
  await Promise.all([flat.close(), nested.close()]);
  if (report === undefined || twoLevels === undefined) throw new Error("There are two meshes.");
  return { report, twoLevels: withoutGroups(twoLevels) };
}

/** Asks a triage until the vectors of its librarians are made. */
async function warmUp(router: Router, to: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { metadata } = await router.ask("where do penguins nest, and what is a sonnet?", { to });
    const triage = metadata?.triage as { readonly meaning?: string } | undefined;
    if (triage?.meaning === "used") return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The librarians were not embedded within a minute.");
}

/** Whether the right librarians were asked, whichever group they were asked through. */
function withoutGroups(report: EvalReport): EvalReport {
  const results = report.results.map((result) => {
    const asked = result.delegates.filter((id) => !Object.hasOwn(groups, id));
    const expected = result.expectations.find(({ name }) => name === "delegates")?.expected as {
      readonly exactly: readonly string[]; // so is every question's
    };
    const passed = asked.toSorted().join() === expected.exactly.toSorted().join();
    return { ...result, delegates: asked, passed };
  });
  return {
    ...report,
    results,
    total: { passed: results.filter(({ passed }) => passed).length, of: results.length },
  };
}
