/** Paths of the server itself, with everything below them. */
const ownPaths = [
  "/ask",
  "/runs",
  "/waiting",
  "/threads",
  "/librarians",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.json",
  "/console",
];

/** Whether a path is the server's own. */
export function isOwnPath(path: string): boolean {
  return ownPaths.some((own) => path === own || path.startsWith(`${own}/`));
}
