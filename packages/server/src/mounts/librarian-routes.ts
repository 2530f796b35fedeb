import type { Router } from "@constellation/core";
import { Problem } from "../http/problem.js";
import type { MountHandler } from "../options.js";
import { isOwnPath } from "./own-paths.js";

/**
 * The routes that librarians offer, as mounts. A user who may not ask a librarian may not use its routes.
 *
 * @param taken - Paths that the host serves itself: a librarian's handler for one of them is left out.
 * @throws RangeError for a path that two librarians offer, or that is the server's own.
 */
export function mountsOfLibrarians(
  router: Router,
  taken: Readonly<Record<string, MountHandler>>,
): Readonly<Record<string, MountHandler>> {
  const mounts: Record<string, MountHandler> = {};
  const offeredBy = new Map<string, string>();
  for (const { librarian: id, routes = {} } of router.services()) {
    for (const [path, make] of Object.entries(routes)) {
      if (Object.hasOwn(taken, path)) continue;
      const other = offeredBy.get(path);
      if (other !== undefined) {
        throw new RangeError(
          `services: ${path} is a route of librarian "${other}" and of "${id}". Set \`services: false\` on one of them in the mesh file, or leave \`services\` out of its definition.`,
        );
      }
      if (isOwnPath(path)) {
        throw new RangeError(
          `services: ${path} of librarian "${id}" is a path of the server itself. Choose another.`,
        );
      }
      offeredBy.set(path, id);
      const handler = make({ id, start: (query, options = {}) => router.start(query, options) });
      mounts[path] = async (request, info) => {
        const isAllowed = router
          .services({ user: info.user })
          .some(({ librarian }) => librarian === id);
        if (!isAllowed) {
          throw new Problem(403, "UNAUTHORIZED", "The user may not use this path.");
        }
        return handler(request, info);
      };
    }
  }
  return mounts;
}
