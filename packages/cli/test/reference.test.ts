import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { referencePage } from "./reference.js";
import { run } from "./run.js";

describe("docs/reference/cli.md", () => {
  it("is what the command says of itself", async () => {
    const file = fileURLToPath(new URL("../../../docs/reference/cli.md", import.meta.url));

    await expect(await referencePage()).toMatchFileSnapshot(file);
  });
});

describe("mesh.schema.json", () => {
  it("is what `constellation schema` prints", async () => {
    const file = readFileSync(new URL("../mesh.schema.json", import.meta.url), "utf8");

    const { stdout } = await run(["schema"]);

    expect(JSON.parse(file)).toEqual(JSON.parse(stdout));
  });
});
