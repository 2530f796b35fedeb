import { testContext } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { createTriageLibrarian } from "./triage-librarian.js";

const availableDelegates = [
  { id: "k8s", name: "Kubernetes", description: "Reads the cluster.", examples: ["Which pods?"] },
  { id: "docs", description: "Answers from runbooks." },
];
const { librarian } = createTriageLibrarian();

describe("a question about the librarians themselves", () => {
  it.each([
    "What can you do?",
    "hi, what can I ask?",
    "help",
    "Which librarians are there?",
    "who is here",
    "What are your capabilities?",
  ])("is answered with who is there and what each can be asked: %s", async (query) => {
    const { answer, delegate, confidence } = await librarian(
      query,
      testContext({ availableDelegates }),
    );

    expect(delegate).toBeUndefined();
    expect(confidence).toBe(1);
    expect(answer).toBe(
      'Your questions go to these 2 librarians:\n\n- **Kubernetes**: Reads the cluster. "Which pods?"\n- **docs**: Answers from runbooks.',
    );
  });

  it.each(["help me with the pods of the cluster", "what can you do about runbooks"])(
    "is not one that has a subject: %s",
    async (query) => {
      const { answer } = await librarian(query, testContext({ availableDelegates }));

      expect(answer).toBeUndefined();
    },
  );

  it("counts those that it does not name, and says when there is none", async () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ id: `l-${n}`, description: "Knows." }));
    const few = await librarian("help", testContext({ availableDelegates: [] }));
    const all = await librarian("help", testContext({ availableDelegates: many }));

    expect(all.answer).toMatch(/these 30 librarians[\s\S]*And 18 more\.$/);
    expect(few.answer).toContain("No librarian is available");
  });
});
