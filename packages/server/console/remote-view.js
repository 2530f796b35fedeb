import { element } from "./element.js";
import { timeOf } from "./words.js";

/** @typedef {import("@constellation/core").HopRecord} HopRecord */
/** @typedef {import("@constellation/core").RemoteRun} RemoteRun */

/** Maximum depth of meshes that call meshes, as shown. */
const maxDepth = 8;

/**
 * What a hop called in other meshes: each with its host, and its hops.
 *
 * @param {HopRecord} hop
 */
export function remoteOf({ remote, remoteUnsettled = [] }) {
  const part = element("div", { class: "remote" });
  if (remote !== undefined) part.append(runOf(remote, 1));
  if (remoteUnsettled.length > 0) {
    const names = remoteUnsettled.map(({ librarian, host }) =>
      element("li", {}, `${librarian} on ${host}`),
    );
    part.append(element("h4", {}, "Ignored their cancellation"), element("ul", {}, ...names));
  }
  return part;
}

/**
 * @param {RemoteRun} run
 * @param {number} depth
 * @returns {HTMLElement}
 */
function runOf({ mesh, host, runId, durationMs, hops }, depth) {
  return element(
    "section",
    {},
    element("h4", {}, `${mesh} on ${host}`),
    element("p", { class: "muted" }, `Run ${runId}, ${timeOf(durationMs)}`),
    element(
      "ul",
      {},
      ...hops.map((hop) => {
        const state = hop.code === undefined ? hop.outcome : `${hop.outcome}: ${hop.code}`;
        const ignored = hop.abandoned === true ? ", ignored its cancellation" : "";
        return element(
          "li",
          {},
          element("strong", {}, hop.to),
          ` ${state}, ${timeOf(hop.durationMs)} from ${timeOf(hop.startMs)}${ignored}`,
          hop.remote === undefined || depth >= maxDepth ? undefined : runOf(hop.remote, depth + 1),
        );
      }),
    ),
  );
}
