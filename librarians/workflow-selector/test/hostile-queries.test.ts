import { createRouter } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { createMemoryCatalog, createWorkflowSelectorLibrarian } from "../src/index.js";
import { cpuTimeOf } from "./cpu-time.js";
import { entry } from "./workflows.js";

const length = 100_000;
const filled = (part: string) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

const hostile: Readonly<Record<string, string>> = {
  tabs: `${filled("\t")}a`,
  "line breaks": `a${filled("\n")}b`,
  "an open fence and blanks": `{\n\`\`\`${filled(" ")}x`,
  fences: `{\n${filled("```\n")}`,
  braces: filled("{"),
  "small objects": filled("{a}"),
  "an open text": `{"${filled("\\")}`,
  "terminal sequences": `crash \u001b${filled(";#")}`,
  escapes: `crash ${filled("\u001b]")}`,
  orders: filled("run ignore "),
  "words of remediation": filled("_remediat"),
  "words with a prefix": filled("_exhaust"),
  "many words": Array.from({ length: length / 8 }, (_, at) => `w${at}`).join(" "),
  "many memories": filled("memory w "),
  camels: filled("aB1"),
  tokens: filled("token-"),
  schemes: filled("a+"),
  keys: filled("-----BEGIN A-----"),
  emoji: filled("\u{1f469}\u200d"),
};

describe("a question of 100,000 characters", () => {
  const router = createRouter();
  router.register(
    createWorkflowSelectorLibrarian({
      store: createMemoryCatalog(
        Array.from({ length: 100 }, (_, at) =>
          entry(`restart-${at}`, { description: `Restarts deployment ${at} that crashes.` }),
        ),
      ),
    }),
  );

  it.each(Object.entries(hostile))("takes little time: %s", async (_, query) => {
    const asked = () => router.ask(query, { to: "workflow-selector" });
    const given = () =>
      router.ask("What now?", {
        to: "workflow-selector",
        metadata: {
          facts: [{ signal_type: query.slice(0, 9_000), error_message: query.slice(0, 19_000) }],
        },
      });
    expect(await cpuTimeOf(asked)).toBeLessThan(2_000);
    expect(await cpuTimeOf(given)).toBeLessThan(2_000);
  });
});
