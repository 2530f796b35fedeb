/** A mesh on this process's standard streams, for tests that start it as a client would. */
import { serveStdio } from "../src/index.js";
import { exampleMesh } from "./meshes.js";

const router = exampleMesh();
router.register({
  id: "talkative",
  description: "writes where only the protocol may",
  librarian: async () => {
    console.log("this line is not a message of the protocol");
    process.stdout.write("nor is this\n");
    return { answer: "said", sources: [{ name: "itself" }], confidence: 1 };
  },
});

await serveStdio(router);
console.error("served");
