import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { run } from "../../test/run.js";

describe("constellation dev", () => {
  it("says how to make a mesh where there is none", async () => {
    const { exitCode, stderr } = await run(["dev", "--port", "0"], { cwd: folderWith({}) });

    expect(exitCode).toBe(2);
    expect(stderr).toContain("constellation init");
  });

  it("ends where its port is taken, which no change of a file mends", async () => {
    const other = createServer();
    onTestFinished(() => void other.close());
    await once(other.listen(0, "127.0.0.1"), "listening");
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";

    const { exitCode, stderr } = await run(["dev", "--port", port], { cwd: folderWith(shopMesh) });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(`--port ${port} is in use. Choose another, or 0 for a free one.`);
  });
});
