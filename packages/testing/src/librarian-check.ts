import type { LibrarianPart, LibrarianSuiteOptions } from "./suite-options.js";

/** One check of every librarian. */
export interface LibrarianCheck {
  /** Stable id, in kebab-case. */
  readonly name: string;
  readonly part: LibrarianPart;
  /** What the librarian does, as a sentence, behind the ids of the requirements it proves. */
  readonly title: string;
  /** Option without which it cannot run. */
  readonly needs?:
    | "unanswerable"
    | "outOfDomain"
    | "failing"
    | "hanging"
    | "withOptions"
    | "quoting"
    | undefined;
  /**
   * Runs the check on a fresh librarian.
   *
   * @throws AssertionError saying what the librarian did instead.
   */
  run(options: LibrarianSuiteOptions): Promise<void>;
}
