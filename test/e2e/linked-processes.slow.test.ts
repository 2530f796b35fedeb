import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

/** Starts a mesh in a process of its own. */
async function startMesh(name: string, protocol: string) {
  const script = fileURLToPath(new URL("linked-process.ts", import.meta.url));
  const loader = ["--conditions=@constellation/source", "--import", "tsx"];
  const child = spawn(process.execPath, [...loader, script, name, protocol], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on("line", (line) => void lines.push(line));
  const [url] = (await once(output, "line")) as [string];
  return {
    url,
    calls: () => lines.filter((line) => line === "called").length,
    async linkTo(url: string) {
      const linked = once(output, "line");
      child.stdin.write(`${url}\n`);
      expect(await linked).toEqual(["linked"]);
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
