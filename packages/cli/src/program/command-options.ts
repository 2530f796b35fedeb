import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../duration.js";

/** Runs the implementation of a command, and reports its exit code. */
export type RunCommand = <Args extends readonly unknown[]>(
  action: (...args: Args) => Promise<number>,
) => (...args: Args) => Promise<void>;

export function withMesh(command: Command): Command {
  return command.option(
    "-m, --mesh <file>",
    "mesh file or module (default: constellation.yaml, mesh.yaml or constellation.js here)",
    readNonBlank,
  );
}

export function withAskOptions(command: Command): Command {
  return withMesh(command)
    .option("-t, --to <id>", "ask this librarian instead of the entry of the mesh")
    .option("--timeout <duration>", "maximum duration of the run: 500ms, 10s, 2m", readDuration)
    .option("--user <id>", "id of the user", readNonBlank)
    .addOption(journal("journal the run: a SQLite file, or the address of a Postgres database"))
    .addOption(json("print one JSON document, { response, run }").conflicts(["mermaid", "tree"]))
    .addOption(mermaid("print the run as a Mermaid flowchart").conflicts("tree"))
    .option("--debug", "print the stack of what a librarian throws")
    .option("--tree", "print the tree of hops too (default on a terminal)")
    .option("-q, --quiet", "show no progress");
}

/** Where a command journals runs, or reads them. */
export function journal(description: string): Option {
  return new Option("--journal <place>", description).argParser(readNonBlank);
}

/** What `--journal` has replaced. */
export function replacedRuns(): Option {
  return new Option("--runs <folder>").hideHelp().argParser(() => {
    throw new InvalidArgumentError("--runs was replaced: write --journal FILE.");
  });
}

export function json(description = "print JSON"): Option {
  return new Option("--json", description);
}

export function mermaid(description: string): Option {
  return new Option("--mermaid", description);
}

export function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined)
    throw new InvalidArgumentError(
      "Expected a time from 1ms to 24 days, such as 500ms, 10s or 2m.",
    );
  return ms;
}

export function readNonBlank(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("Expected text that is not blank.");
  return text;
}

export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Expected a number from 1.");
  return Number(text);
}

export function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError("Expected a number from 0 to 65535.");
  }
  return Number(text);
}

export function readUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError("Expected an http or https URL.");
  }
  return text;
}
