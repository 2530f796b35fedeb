import { describe, expect, it } from "vitest";
import { deployment, namespace, now, pod } from "../../test/objects.js";
import { createInMemoryReader } from "../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../k8s-librarian.js";

async function ask(question: string) {
  const objects = [
    namespace("shop"),
    ...deployment("orders-db"),
    pod({ name: "orders-db-5d9-a", owner: ["ReplicaSet", "orders-db-5d9"] }),
  ];
  const reader = createInMemoryReader({ objects, now, partial: true });
  const { answer = "" } = await createK8sLibrarian({ reader }).librarian(question);
  return answer.split("\n")[0] ?? "";
}

describe("what no object tells is not answered with its state", () => {
  it.each([
    ["which of our colleagues scaled orders-db? need the name", "Which person did that"],
    ["does the image of orders-db contain log4j?", "What is in the image"],
    ["can we restore orders-db from the last backup, is it a good one?", "Whether a backup can be"],
    ["will orders-db survive the rush tonight?", "What will be"],
    ["what did configmap orders-db contain before?", "What was in it before"],
  ])("%s", async (question, what) => {
    expect(await ask(question)).toMatch(new RegExp(`${what}.*cannot be told`));
  });

  it.each([
    "is orders-db ok?",
    "who owns orders-db?",
    "which image does orders-db run?",
    "when was the last backup of orders-db?",
  ])("and not: %s", async (question) => {
    expect(await ask(question)).not.toMatch(/Which person|What is in|Whether a backup|What will/);
  });
});
