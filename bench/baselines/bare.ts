import { setMaxListeners } from "node:events";
import { query, type Variant } from "./variant.js";

type Ask = (query: string, signal?: AbortSignal) => Promise<string>;

/** Functions that call each other: no rule is kept, nothing is checked. */
export const bare: Variant = {
  name: "bare",
  chain({ delegations, wait }) {
    let first: Ask =
      wait === undefined
        ? async () => "ok"
        : async () => {
            await wait();
            return "ok";
          };
    for (let place = 0; place < delegations; place++) {
      const next = first;
      first = async (text) => await next(text);
    }
    const entry = first;
    return { ask: () => entry(query), answers: (result) => [result] };
  },
  fanOut({ children, work }) {
    const asks = Array.from({ length: children }, (_, index): Ask => {
      const answer = `answer ${index}`;
      if (work === undefined) return async () => answer;
      return async (_query, signal) => {
        if (signal !== undefined) await work(index, signal);
        return answer;
      };
    });
    const entry = async (text: string, signal?: AbortSignal) => {
      // Else Node.js warns of a leak from the eleventh listener on.
      if (signal !== undefined) setMaxListeners(0, signal);
      return await Promise.all(asks.map((each) => each(text, signal)));
    };
    return {
      ask: (signal) => entry(query, signal),
      answers: (result) => result as readonly string[],
    };
  },
};
