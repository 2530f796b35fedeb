import { createRouter } from "@constellation/core";
import { createRestateJournal } from "@constellation/restate";

try {
  createRestateJournal({ ingress: 7 } as never);
} catch (thrown) {
  console.log(String(thrown));
}
const journal = createRestateJournal({ ingress: "http://127.0.0.1:1" });
console.log(journal.services.map(({ name }) => name).join(", "));
const router = createRouter({ journal, timeoutMs: 500 });
router.register({
  ...{ id: "docs", description: "answers" },
  librarian: async () => ({ answer: "not called: no server has the run" }),
});
const { error } = await router.ask("Is anyone there?");
console.log(error?.code);
await router.close();
