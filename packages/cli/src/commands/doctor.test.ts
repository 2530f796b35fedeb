import { startChatServer } from "@constellation/models/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { run } from "../../test/run.js";

const librarian = (
  id: string,
  description: string,
  more = "",
) => `export const createLibrarian = () => ({
  id: "${id}",
  description: "${description}",
  delegatesTo: [],
  librarian: async () => ({ answer: "so" }),
  ${more}
});
`;

describe("constellation doctor", () => {
  it("finds nothing that keeps a good mesh from answering", async () => {
    const { exitCode, stdout } = await run(["doctor"], { cwd: folderWith(shopMesh) });

    expect(exitCode).toBe(0);
    expect(stdout).toContain("✓ node: Node.js ");
    expect(stdout).toContain("✓ mesh: 2 librarians loaded");
    expect(stdout).toContain("✓ librarians: each starts, and none is down");
    expect(stdout).not.toContain("✗");
  });

  it("asks the model for a word, where the mesh has one", async () => {
    const server = await startChatServer(["ok"]);
    onTestFinished(() => server.close());
    const meshWith = (key: string, url: string) =>
      folderWith({
        ...shopMesh,
        "mesh.yaml": `model: { provider: openai-compatible, baseURL: "${url}", model: m, apiKeyEnv: ${key} }\n${shopMesh["mesh.yaml"]}`,
      });
    const env = { KEY: "sk-1" };

    const good = await run(["doctor"], { cwd: meshWith("KEY", server.url), env });
    const wrong = await run(["doctor"], { cwd: meshWith("KEY", server.url), env }); // plays no more: status 400
    const without = await run(["doctor"], { cwd: meshWith("NONE", server.url), env });

    expect([good.exitCode, wrong.exitCode, without.exitCode]).toEqual([0, 1, 0]);
    expect(good.stdout).toMatch(/^✓ model: \S+ replies$/m);
    expect(wrong.stdout).toMatch(
      /^✗ model: The model's service rejected the request\. \(.+\) See /m,
    );
    expect(without.stderr).toContain("NONE is not set: no model is used.");
    expect(without.stdout).not.toContain("model:");
  });

  it("names librarians that are down, descriptions that are too thin, and examples that go wrong", async () => {
    const cwd = folderWith({
      "bins.js": librarian("bins", "Waste bins, and the days when they are emptied"),
      "parks.js": librarian(
        "parks",
        "Parks and trees",
        'examples: ["When are the waste bins emptied?", "May this tree be felled?"],',
      ),
      "tax.js": librarian(
        "tax",
        "Tax",
        'health: async () => ({ status: "down", message: "no file" }),',
      ),
      "mesh.yaml":
        "entry: bins\nlibrarians:\n  - use: ./bins.js\n  - use: ./parks.js\n  - use: ./tax.js\n",
    });

    const { exitCode, stdout } = await run(["doctor"], { cwd });
    const json = await run(["doctor", "--output", "json"], { cwd });

    expect(exitCode).toBe(1);
    expect(stdout).toContain("✗ librarians: tax: no file");
    expect(stdout).toContain('! routing: "tax": its description has 1 word to choose it by');
    expect(stdout).toContain("! routing: by words alone, 1 of 2 examples would reach");
    expect(stdout).toContain('its example "When are the waste bins emptied?" goes to "bins"');
    expect(stdout).toContain("2 librarians without examples (bins, tax)");
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, findings: expect.any(Array) });
  });
});
