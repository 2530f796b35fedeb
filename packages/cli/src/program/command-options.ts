import type { User } from "@constellation/core";
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
  const asked = withMesh(command)
    .option("-t, --to <id>", "ask this librarian instead of the entry of the mesh")
    .option("--timeout <duration>", "maximum duration of the run: 500ms, 10s, 2m", readDuration)
    .addOption(
      new Option(
        "--thread <id>",
        "ask in this thread, which begins with its first question",
      ).argParser(readThread),
    )
    .addOption(as("ask as this user"))
    .addOption(journal("journal the run: a SQLite file, or a Postgres address"))
    .option("--no-journal", "keep nothing of the run")
    .addOption(mermaid("print the run as a Mermaid flowchart").conflicts("tree"))
    .option("--debug", "print the stack of what a librarian throws")
    .option("--tree", "print the tree of hops too (default on a terminal)")
    .option("-q, --quiet", "show no progress");
  return withOutput(asked, "one document, { response, run },", ["mermaid", "tree"]);
}

/** The user whom a command acts as, to try out the rights of a mesh. */
export function as(description: string): Option {
  return new Option("--as <user>", `${description}: ann, or ann:role,team`).argParser(readUser);
}

/** Reads `ann:role,team`: each word after the colon counts as a role and as a team. */
export function readUser(text: string): User {
  const [, id, words] =
    /^([^\s:,]{1,200})(?::([^\s:,]{1,200}(?:,[^\s:,]{1,200}){0,99}))?$/.exec(text) ?? [];
  if (id === undefined) {
    throw new InvalidArgumentError("Expected a user such as ann, or ann:role,team.");
  }
  const held = words?.split(",");
  return { id, ...(held !== undefined && { roles: held, teams: held }) };
}

/** Where a command journals runs, or reads them. */
export function journal(
  description: string,
  otherwise = "that of the mesh file, CONSTELLATION_JOURNAL, .constellation/journal.db",
): Option {
  const text = `${description} (default: ${otherwise})`;
  return new Option("--journal <place>", text).argParser(readNonBlank);
}

/**
 * Adds `--output` and `--json`, for a command that prints data.
 *
 * @param data - What the data is.
 * @param conflicts - Options that print something else.
 */
export function withOutput(command: Command, data: string, conflicts: string[] = []): Command {
  return command
    .addOption(
      new Option("-o, --output <format>", `print ${data} as table, json or yaml`)
        .choices(["table", "json", "yaml"])
        .default("table")
        .conflicts(conflicts),
    )
    .addOption(
      new Option("--json", "the same as --output json")
        .implies({ output: "json" })
        .conflicts(conflicts),
    );
}

export function mermaid(description: string): Option {
  return new Option("--mermaid", description);
}

export function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  const asked = /^[1-9]\d{0,8}(?:\.\d+)?$/.test(text.trim())
    ? ` Did you mean ${text.trim()}ms or ${text.trim()}s?`
    : "";
  throw new InvalidArgumentError(
    `Expected a time with its unit, from 1ms to 24d, such as 500ms, 10s or 2m.${asked}`,
  );
}

export function readNonBlank(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("Expected text that is not blank.");
  return text;
}

/** Maximum time that `--since` looks back, in milliseconds: ten years. */
const maxSinceMs = 3_650 * 86_400_000;

/** Reads a period in the past: up to ten years, longer than timers can be. */
export function readSince(text: string): number {
  const ms = parseDuration(text, maxSinceMs);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError("Expected a time with its unit, such as 90m, 24h or 30d.");
}

export function readAmount(text: string): number {
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected an amount in US dollars, such as 0.05.");
}

export function readThread(text: string): string {
  if (/^\S.{0,199}$/su.test(text)) return text;
  throw new InvalidArgumentError("Expected 1 to 200 characters.");
}

export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Expected a number from 1.");
  return Number(text);
}

/** Reads `10%` or `10` as a share. */
export function readPercent(text: string): number {
  const [, number] = /^(\d{1,4}(?:\.\d{1,3})?) ?%?$/.exec(text.trim()) ?? [];
  if (number === undefined) throw new InvalidArgumentError("Expected a percentage such as 10%.");
  return Number(number) / 100;
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
