import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { bare } from "../baselines/bare.js";
import { constellation } from "../baselines/constellation.js";
import { createLean } from "../baselines/lean.js";
import { meshVariant } from "../baselines/mesh-variant.js";
import { createPlain } from "../baselines/plain.js";
import { activeTimers, interleave, median } from "../measure.js";
import type { Scenario } from "./scenario.js";

const children = 100;
const warmUps = 30;
const aborts = 5;

/** What one abort took, in milliseconds, and what it left behind. */
interface Abort {
  readonly answeredMs: number;
  readonly heardMs: number;
  readonly left: number;
}

/** A caller that aborts while 100 children wait. */
export const abortScenario: Scenario = {
  name: "abort",
  title: "abort of 100 children",
  async measure({ core, effort }) {
    let rejections = 0;
    const count = () => {
      rejections++;
    };
    process.on("unhandledRejection", count);

    let onHeard: () => void = () => undefined;
    let onWaiting: () => void = () => undefined;
    const work = (_index: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        onWaiting();
        signal.addEventListener(
          "abort",
          () => {
            onHeard();
            resolve();
          },
          { once: true },
        );
      });
    const candidates = await Promise.all(
      [
        bare,
        meshVariant("plain", createPlain),
        meshVariant("lean", createLean),
        constellation(core),
      ].map(async (each) => ({
        name: each.name,
        wired: await each.fanOut({ children, work }),
      })),
    );

    const abort = async ({ name, wired }: (typeof candidates)[number]): Promise<Abort> => {
      const controller = new AbortController();
      let waiting = 0;
      const allWait = new Promise<void>((resolve) => {
        onWaiting = () => {
          if (++waiting === children) resolve();
        };
      });
      let heard = 0;
      let heardAt = 0;
      const allHeard = new Promise<void>((resolve) => {
        onHeard = () => {
          if (++heard < children) return;
          heardAt = performance.now();
          resolve();
        };
      });
      const timersBefore = activeTimers();
      const rejectionsBefore = rejections;
      const asked = wired.ask(controller.signal).then((result) => {
        return { result, at: performance.now() };
      });
      await allWait;
      await nextTurn();

      const started = performance.now();
      controller.abort(new Error("no longer wanted"));
      const answered = await asked;
      await allHeard;
      await nextTurn();

      const answers = wired.answers(answered.result);
      const expected = name === "bare" ? "answer 0" : "TIMEOUT";
      if (answers.length !== children || answers[0] !== expected) {
        throw new Error(`${name}: expected ${children} of ${expected}, got ${answers.length}`);
      }
      return {
        answeredMs: answered.at - started,
        heardMs: heardAt - started,
        left:
          getEventListeners(controller.signal, "abort").length +
          (activeTimers() - timersBefore) +
          (rejections - rejectionsBefore),
      };
    };

    for (let round = 0; round < warmUps; round++) {
      for (const each of candidates) await abort(each);
    }
    const heard = new Map<string, number[]>(candidates.map(({ name }) => [name, []]));
    const left = new Map<string, number[]>(candidates.map(({ name }) => [name, []]));
    const answered = await interleave(candidates, effort.rounds, async (candidate) => {
      const all: Abort[] = [];
      for (let count = 0; count < aborts; count++) all.push(await abort(candidate));
      heard.get(candidate.name)?.push(median(all.map(({ heardMs }) => heardMs)));
      left.get(candidate.name)?.push(Math.max(...all.map((each) => each.left)));
      return median(all.map(({ answeredMs }) => answeredMs));
    });
    process.off("unhandledRejection", count);
    return [
      { name: "abort", unit: "ms until the caller has its answer", samples: answered },
      {
        name: "abort-heard",
        unit: "ms until every child saw it",
        samples: Object.fromEntries(heard),
      },
      {
        name: "abort-left",
        unit: "timers, listeners and unhandled rejections left",
        samples: Object.fromEntries(left),
      },
    ];
  },
};
