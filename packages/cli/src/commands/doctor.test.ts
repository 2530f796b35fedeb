import { describe, expect, it } from "vitest";
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
    expect(stdout).toContain('! routing: "tax": its description has 1 words');
    expect(stdout).toContain("✓ routing: 1 of 2 examples find their librarian");
    expect(stdout).toContain('its example "When are the waste bins emptied?" goes to "bins"');
    expect(stdout).toContain("2 librarians without examples (bins, tax)");
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, findings: expect.any(Array) });
  });
});
