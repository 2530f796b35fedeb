import { describe, expect, it } from "vitest";
import { clausesOf } from "./clauses.js";

function textsOf(query: string) {
  return clausesOf(query).map(({ text }) => text);
}

describe("clausesOf", () => {
  it.each([
    ["Is it up? Which pods crash?", ["Is it up?", "Which pods crash?"]],
    ["list pods; look up quotas", ["list pods", "look up quotas"]],
    ["Show pods, and then the runbook", ["Show pods", "the runbook"]],
    ["find the cause and pick a fix", ["find the cause", "pick a fix"]],
    ["pods in a-b, c", ["pods in a-b", "c"]],
    ["release 1.2.3 of api.example.com", ["release 1.2.3 of api.example.com"]],
    ["Android apps and sandboxes", ["Android apps", "sandboxes"]],
    ["Also, what now?", ["Also", "what now?"]],
    ["???", ["???"]],
  ])("cuts %j", (query, texts) => {
    expect(textsOf(query)).toEqual(texts);
  });

  it("says where each clause stands, and whether its sentence asks", () => {
    const query = "It is down. Why, and since when?";

    const clauses = clausesOf(query);

    expect(clauses.map(({ start, end }) => query.slice(start, end))).toEqual(textsOf(query));
    expect(clauses.map(({ isQuestion }) => isQuestion)).toEqual([false, true, true]);
  });

  it("makes at most 16 of them, the last with all the rest", () => {
    const clauses = textsOf(Array.from({ length: 40 }, (_, n) => `part ${n}`).join(", "));

    expect(clauses).toHaveLength(16);
    expect(clauses.at(-1)).toContain("part 39");
  });

  it("leaves a query of more than 4,000 characters whole", () => {
    expect(clausesOf(`pods${" ".repeat(500_000)}and more`)).toHaveLength(1);
  });
});
