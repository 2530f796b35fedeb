import { Argument, type Command } from "commander";
import type { CommandIO } from "../command-io.js";
import type { ApprovalsAction, ApprovalsFlags } from "../commands/approvals.js";
import {
  as,
  journal,
  type RunCommand,
  readNonBlank,
  withMesh,
  withOutput,
} from "./command-options.js";
import { createHelpText } from "./help-text.js";

/** Adds `approvals`. */
export function addApprovalsCommand(program: Command, io: CommandIO, run: RunCommand): void {
  const help = createHelpText(io);
  withOutput(withMesh(program.command("approvals")), "the list")
    .description("Lists what runs wait for, and approves, refuses or answers it.")
    .addArgument(
      new Argument("[action]", "what to do")
        .choices(["list", "approve", "refuse", "answer", "repeat"])
        .default("list"),
    )
    .argument("[id...]", "as the list has it, or the beginning of the run's id; then the answer")
    .addOption(
      journal(
        "file or Postgres address of the journal (default: that of the mesh file, CONSTELLATION_JOURNAL, .constellation/journal.db)",
      ),
    )
    .addOption(as("user who answers"))
    .option("--comment <text>", "recorded with the answer", readNonBlank)
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation approvals
  $ constellation approvals approve 5f0c2a31 --as ann
  $ constellation approvals refuse 5f0c2a31.2 --as ann --comment "not before Monday"
  $ constellation approvals answer 77b1e0aa staging

The run continues here, with the librarians of the mesh file, and its answer is printed. \`repeat\` is for a
write of which no one knows the outcome: it did not happen, and is done.`),
    )
    .action(
      run(async (action: ApprovalsAction, ids: string[], flags: ApprovalsFlags) =>
        (await import("../commands/approvals.js")).approvals(action, ids, flags, io),
      ),
    );
}
