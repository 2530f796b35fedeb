import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

/** Starts a mesh in a process of its own. */
async function startMesh(name: string, protocol: string) {
  const script = fileURLToPath(new URL("linked-process.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    [
      "--conditions=@constellation/source",
      "--import",
      "@oxc-node/core/register",
      ...[script, name, protocol],
    ],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => void lines.push(line));
  await expect.poll(() => lines[0], { timeout: 40_000 }).toMatch(/^http/);
  return {
    url: lines[0] ?? "",
    calls: () => lines.filter((line) => line === "called").length,
    async linkTo(url: string) {
      child.stdin.write(`${url}\n`);
      await expect.poll(() => lines, { timeout: 20_000 }).toContain("linked");
    },
  };
}

describe("three meshes, each in a process of its own", () => {
  it.each(["a2a", "mcp"])(
    "detect a loop over %s, and call each librarian once",
    async (protocol) => {
      const meshes = await Promise.all(["a", "b", "c"].map((name) => startMesh(name, protocol)));
      for (const [index, mesh] of meshes.entries()) {
        await mesh.linkTo(meshes[(index + 1) % meshes.length]?.url ?? "");
      }

      const reply = await fetch(`${meshes[0]?.url}/ask`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: "who knows?" }),
      });

      expect(await reply.json()).toMatchObject({
        error: {
          code: "LOOP_DETECTED",
          details: {
            path: ["a/front", "a/next", "b/front", "b/next", "c/front", "c/next", "a/front"],
          },
        },
      });
      expect(meshes.map(({ calls }) => calls())).toEqual([1, 1, 1]);
    },
  );
});
