import { createRequire } from "node:module";

/** The API of OpenTelemetry, as `import * as` gives it. */
export type OtelApi = typeof import("@opentelemetry/api");

/** Where every copy of the API, of major version 1, keeps what an SDK has registered. */
const registered = Symbol.for("opentelemetry.js.api.1");

let api: OtelApi | undefined;
let isImporting = false;

// In a bundle the API cannot be required: it is imported now, so that the first run has its spans.
if (!/\/(?:@constellation|packages)\/core\/(?:dist|src)\//.test(import.meta.url)) importApi();

/**
 * The API, loaded when an SDK has registered a tracer provider, and not before: loading it takes
 * longer than loading core.
 *
 * @returns `undefined` while no provider is registered. In a bundle, where it cannot be required, also until the
 *   import that begins with core has ended, some microtasks later.
 *
 * @beta
 */
export function otelApi(): OtelApi | undefined {
  const global = (globalThis as { readonly [registered]?: { readonly trace?: unknown } })[
    registered
  ];
  if (global?.trace === undefined) return undefined;
  if (api === undefined) requireApi();
  return api;
}

function requireApi(): void {
  try {
    api = createRequire(import.meta.url)("@opentelemetry/api") as OtelApi; // the package of that name
  } catch {
    importApi(); // no effect while that is under way
  }
}

function importApi(): void {
  if (isImporting) return;
  isImporting = true;
  void import("@opentelemetry/api").then(
    (loaded) => {
      api = loaded;
    },
    () => undefined, // without it there are no spans
  );
}

/**
 * The API, for code that runs only below a run with a tracer.
 *
 * @beta
 */
export function loadedApi(): OtelApi {
  if (api === undefined) throw new TypeError("The OpenTelemetry API is not loaded.");
  return api;
}
