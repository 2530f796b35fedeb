import type { FastifyInstance } from "fastify";

/** Methods that a path of the server accepts; empty for an unknown path. */
export type MethodsAt = (path: string) => readonly string[];

/** Notes every route that is added from now on. */
export function noteRoutes(app: FastifyInstance): MethodsAt {
  const known: { readonly methods: readonly string[]; readonly steps: readonly string[] }[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    known.push({ methods: [method].flat(), steps: url.split("/") });
  });
  return (path) => {
    const steps = path.split("/");
    const methods = known.filter((route) => leadsTo(route.steps, steps)).flatMap((r) => r.methods);
    return [...new Set(methods)].sort();
  };
}

/** Whether the steps of a route, `:name` for any one and `*` for all that follow, are those of a path. */
function leadsTo(route: readonly string[], path: readonly string[]): boolean {
  const rest = route.indexOf("*");
  if (rest < 0 ? route.length !== path.length : path.length <= rest) return false;
  const fixed = rest < 0 ? route : route.slice(0, rest);
  return fixed.every((step, at) => step === path[at] || (step.startsWith(":") && path[at] !== ""));
}
