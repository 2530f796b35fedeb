import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { run } from "../../test/run.js";

describe("constellation completion", () => {
  it("teaches bash commands, options, choices and files", async () => {
    const cwd = folderWith({ "mesh.yaml": "", "run.json": "" });
    const { stdout } = await run(["completion", "bash"]);
    writeFileSync(join(cwd, "completion.bash"), stdout);
    const complete = (...words: readonly string[]) =>
      execFileSync(
        "bash",
        [
          "-c",
          `source completion.bash; constellation() { echo "desk shop \${*:3}"; }; COMP_WORDS=(constellation "$@"); COMP_CWORD=$#; _constellation; echo "\${COMPREPLY[@]}"`,
          "bash",
          ...words,
        ],
        { cwd, encoding: "utf8" },
      ).trim();

    expect(complete("ch")).toBe("chat check");
    expect(complete("ask", "--tr")).toBe("--tree --trace");
    expect(complete("ask", "--mesh", "m")).toBe("mesh.yaml");
    expect(complete("replay", "run")).toBe("run.json");
    expect(complete("init", "l")).toBe("librarian");
    expect(complete("--v")).toBe("--version");
    expect(complete("ask", "--mesh", "x.yaml", "--to", "")).toBe("desk shop --mesh x.yaml");
    expect(complete("ask", "--to", "s")).toBe("shop");
  });

  it.each(["bash", "zsh", "fish", "powershell"])(
    "names every command and option for %s",
    async (shell) => {
      const { exitCode, stdout } = await run(["completion", shell]);

      expect(exitCode).toBe(0);
      for (const command of [
        "ask",
        "chat",
        "check",
        "list",
        "serve",
        "mcp",
        "init",
        "eval",
        "replay",
      ]) {
        expect(stdout).toMatch(new RegExp(`\\b${command}\\b`));
      }
      for (const option of ["mermaid", "timeout", "jwks-url"]) expect(stdout).toContain(option);
    },
  );

  it("refuses a shell it does not know", async () => {
    const { exitCode, stderr } = await run(["completion", "csh"]);

    expect(exitCode).toBe(2);
    expect(stderr).toContain("bash, zsh, fish, powershell");
  });
});
