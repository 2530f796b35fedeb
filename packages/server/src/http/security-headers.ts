/** For everything but the console: a reply may load and run nothing. */
export const apiHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** For the console: its own files and requests to its own server, nothing inline, nothing else. */
export const consoleHeaders: Readonly<Record<string, string>> = {
  ...apiHeaders,
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "no-cache",
};
