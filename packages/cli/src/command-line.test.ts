import { describe, expect, it } from "vitest";
import { run } from "../test/run.js";

describe("main", () => {
  it.each(["ask", "chat", "check", "eval", "init", "mcp", "replay", "schema", "completion"])(
    "has help with an example for %s",
    async (command) => {
      const { exitCode, stdout } = await run([command, "--help"]);

      expect(exitCode).toBe(0);
      expect(stdout).toContain(`Usage: constellation ${command}`);
      expect(stdout).toMatch(/Examples?:|configuration of an MCP client:/);
    },
  );

  it.each(["", "ask", "chat", "dev", "ingest", "replay", "runs", "schema", "serve"])(
    "keeps the help of %j within 80 columns, but for what is to be copied",
    async (command) => {
      const argv = command === "" ? ["--help"] : [command, "--help"];

      const { stdout } = await run(argv, { isTTY: true, columns: 80 });

      const prose = stdout.split("\n").filter((line) => !/^ +(?:\$|--)/.test(line));
      expect(prose.filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it("lists every command in its help, and prints its version", async () => {
    const help = await run(["--help"]);
    const version = await run(["--version"]);

    expect(help.stdout).toMatch(/^ {2}ask \[options\] <question\.\.\.>/m);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect([help.exitCode, version.exitCode]).toEqual([0, 0]);
  });

  it.each([
    [["chek"], "Did you mean check?"],
    [["ask", "--tre", "?"], "Did you mean --tree?"],
    [["ask"], "missing required argument 'question'"],
    [["ask", "--json", "--mermaid", "?"], "cannot be used with"],
    [["ask", "--timeout", "5x", "?"], "Expected a time with its unit, from 1ms to 24d,"],
    [["ask", "--timeout", "0", "?"], "Expected a time with its unit, from 1ms to 24d,"],
    [["ask", "--as", "", "?"], "'--as <user>' argument '' is invalid. Expected a user such as ann"],
    [["mcp", "--as", "ann:"], "Expected a user such as ann, or ann:role,team."],
    [["ask", "--timeout", "5", "?"], "Did you mean 5ms or 5s?"],
    [["ask", "--mesh", "", "?"], "'-m, --mesh <file>' argument '' is invalid."],
    [["eval", "--concurrency", "0", "x"], "Expected a number from 1."],
    [["help", "chekc"], 'Unknown command "chekc". Did you mean "check"? Valid commands: ask,'],
    [
      ["completion", "bsh"],
      'Unknown shell "bsh". Did you mean "bash"? Valid: bash, zsh, fish, powershell.',
    ],
    [
      ["completion", "' is invalid for argument 'x'. Allowed choices are y"],
      `Unknown shell "' is invalid for argument 'x'. Allowed choices are y". Valid: bash,`,
    ],
    [["check", "extra"], "too many arguments"],
    [[], "Usage: constellation"],
  ])("exits with 2 for %j, and reports the mistake", async (argv, problem) => {
    const { exitCode, stdout, stderr } = await run(argv);

    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(problem);
  });
});
