import { byId, element } from "./element.js";
import { ServerProblem } from "./server.js";

/**
 * The line that says what went wrong and what to do.
 *
 * @param {() => void} onUnauthorized
 */
export function createProblemLine(onUnauthorized) {
  const line = byId("problem", HTMLElement);
  return {
    /** @param {unknown} thrown A request that the user ended is not shown. */
    show(thrown) {
      if (thrown instanceof DOMException && thrown.name === "AbortError") return;
      const { message, suggestion, status } =
        thrown instanceof ServerProblem
          ? thrown
          : { message: "This page failed.", suggestion: "Load it again.", status: 0 };
      line.replaceChildren(element("strong", {}, message), ` ${suggestion}`);
      line.hidden = false;
      if (status === 401) onUnauthorized();
    },
    hide() {
      line.hidden = true;
    },
    get isHidden() {
      return line.hidden;
    },
  };
}
