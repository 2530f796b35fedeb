import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { run } from "../../test/run.js";

it("serve and dev report a taken port with the same words, and end", async () => {
  const other = createServer();
  onTestFinished(() => void other.close());
  await once(other.listen(0, "127.0.0.1"), "listening");
  const address = other.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const expected = `--port ${port} is in use. Choose another, or 0 for a free one.`;

  for (const command of ["serve", "dev"]) {
    const { exitCode, stderr } = await run([command, "--port", port], {
      cwd: folderWith(shopMesh),
    });

    expect({ command, exitCode, stderr }).toMatchObject({ command, exitCode: 2 });
    expect(stderr).toContain(expected);
  }
});

it("serve says what to do about a host that is not of this machine", async () => {
  const { exitCode, stderr } = await run(
    ["serve", "--port", "0", "--host", "192.0.2.1", "--allow-anonymous"],
    { cwd: folderWith(shopMesh) },
  );

  expect(exitCode).toBe(2);
  expect(stderr).toContain("--host 192.0.2.1 is not an address of this machine.");
});
