import { describe, expect, it } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { run } from "../../test/run.js";

const loop = {
  ...shopMesh,
  "mesh.yaml": `entry: desk
librarians:
  - use: ./desk.js
  - use: ./shop.js
    delegatesTo: [desk, bakery]
    options: { stock: 1 }
`,
};

describe("constellation check", () => {
  it("finds nothing wrong with a good mesh", async () => {
    const { exitCode, stdout } = await run(["check"], { cwd: folderWith(shopMesh) });

    expect([exitCode, stdout]).toEqual([0, "✓ 2 librarians, no problems\n"]);
  });

  it("names each problem, and exits with 1", async () => {
    const { exitCode, stdout } = await run(["check"], { cwd: folderWith(loop) });

    expect(exitCode).toBe(1);
    expect(stdout).toContain('✗ unknown-target: "shop" delegates to "bakery"');
    expect(stdout).toContain("✗ cycle: desk -> shop -> desk");
    expect(stdout).toContain("2 librarians, 2 problems");
  });

  it("names what works and may surprise, and exits with 0", async () => {
    const cwd = folderWith({
      ...shopMesh,
      "shop.js": `export const createLibrarian = () => ({
  id: "shop",
  description: "Sells bread.",
  delegatesTo: [],
  effects: "write",
  librarian: async () => ({ answer: "sold" }),
});
`,
      "mesh.yaml":
        "entry: desk\nlibrarians:\n  - use: ./desk.js\n    retry: true\n  - use: ./shop.js\n",
    });

    const { exitCode, stdout } = await run(["check"], { cwd });
    const json = await run(["check", "--json"], { cwd });

    expect([exitCode, json.exitCode]).toEqual([0, 0]);
    expect(stdout).toContain("! write-not-repeated: ");
    expect(stdout).toContain("✓ 2 librarians, no problems, 1 warning\n");
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      problems: [],
      warnings: [{ kind: "write-not-repeated", ids: ["desk", "shop"] }],
    });
  });

  it("names librarians that do not start, with the reason", async () => {
    const cwd = folderWith({
      ...shopMesh,
      "shop.js": `export const createLibrarian = () => ({
  id: "shop",
  description: "Sells bread.",
  delegatesTo: [],
  librarian: async () => ({ answer: "bread" }),
  start: async () => { throw new Error("no oven"); },
});
`,
      "mesh.yaml": "entry: desk\nlibrarians:\n  - use: ./desk.js\n  - use: ./shop.js\n",
    });

    const { exitCode, stdout } = await run(["check"], { cwd });

    expect(exitCode).toBe(1);
    expect(stdout).toContain('✗ not-started: Librarian "shop" did not start. no oven');
  });

  it("asks each librarian whether it could answer with --health, and names those that could not", async () => {
    const cwd = folderWith({
      ...shopMesh,
      "shop.js": `export const createLibrarian = () => ({
  id: "shop",
  description: "Sells bread.",
  delegatesTo: [],
  librarian: async () => ({ answer: "bread" }),
  health: async () => ({ status: "down", message: 'The server has no tool "bread".' }),
});
`,
      "mesh.yaml": "entry: desk\nlibrarians:\n  - use: ./desk.js\n  - use: ./shop.js\n",
    });

    const structure = await run(["check"], { cwd });
    const health = await run(["check", "--health"], { cwd });

    expect(structure.exitCode).toBe(0);
    expect(health.exitCode).toBe(1);
    expect(health.stdout).toContain('✗ down: shop: The server has no tool "bread".');
    expect(health.stdout).toContain("2 librarians, 1 problem");
  });

  it("draws the mesh with --mermaid, and prints a report with --json", async () => {
    const cwd = folderWith(loop);

    const chart = await run(["check", "--mermaid"], { cwd });
    const json = await run(["check", "--json"], { cwd });

    expect(chart.stdout).toMatch(/^flowchart TD\n {2}n0\["desk"\]\n/);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      librarians: 2,
      problems: [{ kind: "unknown-target" }, { kind: "cycle" }],
    });
  });
});

describe("constellation list", () => {
  it("lists the librarians and their delegates", async () => {
    const cwd = folderWith(shopMesh);

    const text = await run(["list"], { cwd });
    const json = await run(["list", "--json"], { cwd });

    expect(text.stdout).toBe(`desk
  Passes questions on.
  asks    shop

shop
  Sells bread.
  asks    none
`);
    expect(JSON.parse(json.stdout)).toMatchObject([{ id: "desk" }, { id: "shop" }]);
  });
});
