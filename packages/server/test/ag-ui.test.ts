import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpAgent } from "@ag-ui/client";
import { createRouter, type Librarian, type MeshLibrarian } from "@constellation/core";
import { createJournal, createSqliteStore } from "@constellation/journal";
import { type AGUIEvent, toAGUIStream } from "@constellation/server/streams";
import { describe, expect, it, onTestFinished } from "vitest";
import { aborted, heldLibrarian, type ServedMesh, serveMesh } from "./served-mesh.js";

/** An agent of AG-UI's own client, which checks the order of events. */
function openAgent(mesh: ServedMesh, path = "/ask/ag-ui", headers: Record<string, string> = {}) {
  return new HttpAgent({ url: `${mesh.url}${path}`, threadId: "thread-1", headers });
}

function say(agent: HttpAgent, content: string): void {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
}

function contentsOf(agent: HttpAgent): readonly unknown[] {
  return agent.messages.map(({ role, content }) => `${role}: ${String(content)}`);
}

const docs: MeshLibrarian = async (query, { report }) => {
  report({ text: "Drain it." });
  return { answer: `Drain it. (${query})`, sources: [{ name: "Runbook" }] };
};

describe("AG-UI", () => {
  it("gets text, hops as steps and state, and sources", async () => {
    const mesh = await serveMesh({
      desk: async () => ({ delegate: { to: "docs" } }),
      docs: docs as Librarian,
    });
    const agent = openAgent(mesh);
    agent.setState({ page: "billing" });
    say(agent, "restart");
    const steps: string[] = [];

    await agent.runAgent(
      {},
      { onStepFinishedEvent: ({ event }) => void steps.push(event.stepName) },
    );

    expect(contentsOf(agent)).toEqual(["user: restart", "assistant: Drain it. (restart)"]);
    expect(steps).toEqual(["desk #1", "docs #2"]);
    expect(agent.state).toMatchObject({
      page: "billing",
      mesh: {
        hops: [
          { to: "desk", state: "delegate" },
          { to: "docs", state: "answer", parentId: 1 },
        ],
        sources: [{ name: "Runbook" }],
      },
    });
  });

  it("takes back what is withdrawn, and keeps the conversation", async () => {
    const writer: MeshLibrarian = async (query, { report }) => {
      report({ text: "An invented claim." });
      report({ text: "", replaces: true });
      return { answer: `A checked sentence for "${query}".` };
    };
    const mesh = await serveMesh({ writer: writer as Librarian });
    const agent = openAgent(mesh, "/ask", { "constellation-stream": "ag-ui" });

    for (const question of ["one", "two"]) {
      say(agent, question);
      await agent.runAgent();
    }

    expect(contentsOf(agent)).toEqual([
      "user: one",
      'assistant: A checked sentence for "one".',
      "user: two",
      'assistant: A checked sentence for "two".',
    ]);
  });

  it("is interrupted by an approval, and resumed with the answer", async () => {
    const folder = mkdtempSync(join(tmpdir(), "constellation-ag-ui-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const store = createSqliteStore({ file: join(folder, "journal.db") });
    const journal = createJournal({ store, leaseMs: 1_000 });
    const operator: Librarian = async (query, context) => {
      const decision = await context?.approve?.({ what: `Restart ${query}?` });
      return { answer: `It is ${decision?.outcome}: ${decision?.comment}.` };
    };
    const mesh = await serveMesh({ operator }, { journal }, { journal });
    const agent = openAgent(mesh);

    say(agent, "billing");
    await agent.runAgent();
    const [interrupt] = agent.pendingInterrupts;
    expect(interrupt).toMatchObject({ reason: "approval", message: "Restart billing?" });
    const payload = { approved: false, comment: "not on a Friday" };
    const resume = { interruptId: interrupt?.id ?? "", status: "resolved" as const, payload };
    await agent.runAgent({ resume: [resume] });

    expect(agent.pendingInterrupts).toEqual([]);
    expect(contentsOf(agent).at(-1)).toBe("assistant: It is refused: not on a Friday.");
  });

  it("ends with the error of a run that has no answer", async () => {
    const lost: Librarian = async () => ({
      error: { code: "NOT_FOUND", message: "No runbook covers this." },
    });
    const mesh = await serveMesh({ lost });
    const agent = openAgent(mesh);
    say(agent, "why?");
    const errors: unknown[] = [];

    await agent
      .runAgent(
        {},
        { onRunErrorEvent: ({ event }) => void errors.push([event.code, event.message]) },
      )
      .catch(() => undefined);

    expect(errors).toEqual([["NOT_FOUND", "No runbook covers this."]]);
  });

  it("stops the run when the client aborts", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh({ held: held.librarian });
    const agent = openAgent(mesh);
    say(agent, "wait");

    const run = agent.runAgent().catch(() => undefined);
    const signal = await held.asked;
    agent.abortRun();
    await aborted(signal);
    await run;

    expect(signal.aborted).toBe(true);
  });

  it("gives the events of a run to a route of one's own", async () => {
    const router = createRouter();
    router.register({ id: "docs", description: "answers", librarian: docs });
    const events: AGUIEvent[] = [];
    const stream = toAGUIStream(router.start("restart"), { threadId: "t", runId: "r" });
    for await (const event of stream) events.push(event);
    expect(events[0]).toEqual({ type: "RUN_STARTED", threadId: "t", runId: "r" });
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    await router.close();
  });
});
