import { getEventListeners } from "node:events";
import type { Context, ErrorReason, Response } from "@constellation/core";
import { cancelledError, deadlineError } from "@constellation/core";
import {
  type Ask,
  contextFor,
  expect,
  expectError,
  realPause,
  withLibrarian,
} from "./conformance.js";
import type { LibrarianCheck } from "./librarian-check.js";
import type { LibrarianSuiteOptions } from "./suite-options.js";

/** Time a librarian gets before a check ends it, in milliseconds. */
const shortMs = 25;

/** How a librarian ends at its deadline and on abort. */
export const endingChecks: readonly LibrarianCheck[] = [
  {
    name: "deadline",
    part: "timeout",
    needs: "hanging",
    title: "CORE-077 CORE-008 ends with TIMEOUT when its deadline passes",
    run: (options) =>
      hung(options, async (ask) => {
        const controller = new AbortController();
        const { signal } = controller;
        const context = contextFor(options, { deadline: Date.now() + shortMs, signal });
        void realPause(shortMs).then(() => controller.abort(deadlineError()));
        expectTimeout(await ask(options.query, context), "deadline", "when the deadline passed");
        expectNoListeners(signal);
      }),
  },
  {
    name: "deadline-passed",
    part: "timeout",
    needs: "hanging",
    title: "CORE-077 CORE-058 ends with TIMEOUT when its deadline has passed before it begins",
    run: (options) =>
      hung(options, async (ask) => {
        const context = contextFor(options, { deadline: Date.now() - 1 });
        expectTimeout(
          await ask(options.query, context),
          "deadline",
          "when the deadline had passed before",
        );
      }),
  },
  {
    name: "cancelled",
    part: "cancel",
    needs: "hanging",
    title: "CORE-009 CORE-058 ends with TIMEOUT when it is cancelled while it works",
    run: (options) =>
      hung(options, async (ask) => {
        const context = contextFor(options);
        const cancel = realPause(shortMs).then(() => context.cancel());
        const [response] = await Promise.all([ask(options.query, context), cancel]);
        expectTimeout(response, "cancelled", "when it was cancelled");
        expectNoListeners(context.signal);
      }),
  },
  {
    name: "cancelled-before",
    part: "cancel",
    title: "CORE-009 CORE-058 ends with TIMEOUT when it was cancelled before it begins",
    run: (options) =>
      withLibrarian(options, options.create, async (ask) => {
        const context = contextFor(options, { signal: AbortSignal.abort(cancelledError()) });
        expectTimeout(
          await ask(options.query, context),
          "cancelled",
          "when it was cancelled before it began",
        );
      }),
  },
  {
    name: "plain-abort",
    part: "cancel",
    title: "CORE-009 CORE-058 ends with TIMEOUT when a signal without a reason of ours had aborted",
    run: (options) =>
      withLibrarian(options, options.create, async (ask) => {
        const context = contextFor(options, { signal: AbortSignal.abort() });
        expectTimeout(
          await ask(options.query, context),
          "cancelled",
          "when a plain AbortSignal had aborted",
        );
      }),
  },
  {
    name: "plain-abort-later",
    part: "cancel",
    needs: "hanging",
    title: "CORE-009 CORE-058 ends with TIMEOUT when a plain AbortSignal aborts while it works",
    run: (options) =>
      hung(options, async (ask) => {
        const controller = new AbortController();
        void realPause(shortMs).then(() => controller.abort());
        const context = contextFor(options, { signal: controller.signal });
        expectTimeout(
          await ask(options.query, context),
          "cancelled",
          "when a plain AbortSignal aborted",
        );
        expectNoListeners(controller.signal);
      }),
  },
  {
    name: "listeners",
    part: "cancel",
    title: "lets go of its signal when it has answered",
    run: (options) =>
      withLibrarian(options, options.create, async (ask) => {
        const context = contextFor(options);
        await ask(options.query, context);
        expectNoListeners(context.signal);
      }),
  },
];

function hung(options: LibrarianSuiteOptions, check: (ask: Ask) => Promise<void>): Promise<void> {
  return withLibrarian(options, options.hanging ?? options.create, check);
}

function expectTimeout(response: Response, reason: ErrorReason, when: string): void {
  expectError(response, ["TIMEOUT"], when);
  const actual = response.error?.details?.reason;
  expect(actual === reason, `${when}, details.reason is ${String(actual)}; expected ${reason}`, {
    actual,
    expected: reason,
  });
}

function expectNoListeners(signal: NonNullable<Context["signal"]>): void {
  const left = getEventListeners(signal, "abort").length;
  expect(left === 0, `it left ${left} listeners on its signal`, { actual: left, expected: 0 });
}
