import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { run } from "../../test/run.js";

describe("constellation dev", () => {
  it("says how to make a mesh where there is none", async () => {
    const { exitCode, stderr } = await run(["dev", "--port", "0"], { cwd: folderWith({}) });

    expect(exitCode).toBe(2);
    expect(stderr).toContain("constellation init");
  });
});
