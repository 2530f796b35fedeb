import { refuseUnknownKeys } from "../contract/option-checks.js";
import type { LibrarianServices } from "../contract/services.js";
import { describeValue, isRecord } from "../contract/unknown-value.js";

const keys: ReadonlySet<string> = new Set<keyof LibrarianServices>(["tools", "routes"]);
const toolName = /^[a-zA-Z0-9_-]{1,64}$/;
const routePath = /^(?:\/[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,63}){1,8}$/;

/** @throws TypeError or RangeError that names the key and the value. */
export function requireServices(at: string, services: unknown): void {
  if (services === undefined) return;
  if (!isRecord(services)) {
    throw new TypeError(`${at}: expected tools and routes, got ${describeValue(services)}.`);
  }
  refuseUnknownKeys(at, services, keys);
  requireTools(`${at}.tools`, services.tools);
  requireRoutes(`${at}.routes`, services.routes);
}

function requireTools(at: string, tools: unknown): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) {
    throw new TypeError(`${at}: expected an array of tools, got ${describeValue(tools)}.`);
  }
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const { name, description, input, run } = isRecord(tool) ? tool : {};
    if (typeof name !== "string" || !toolName.test(name)) {
      throw new RangeError(
        `${at}[${index}].name: expected 1 to 64 of a-z, A-Z, 0-9, "_" and "-", got ${describeValue(name)}.`,
      );
    }
    if (names.has(name)) throw new RangeError(`${at}[${index}].name: ${name} is given twice.`);
    names.add(name);
    if (typeof description !== "string" || !isRecord(input) || typeof run !== "function") {
      throw new TypeError(`${at}[${index}]: expected description, input and run.`);
    }
  }
}

function requireRoutes(at: string, routes: unknown): void {
  if (routes === undefined) return;
  if (!isRecord(routes)) {
    throw new TypeError(`${at}: expected functions by path, got ${describeValue(routes)}.`);
  }
  for (const [path, make] of Object.entries(routes)) {
    if (!routePath.test(path)) {
      throw new RangeError(
        `${at}: expected a path such as /workflows, got ${describeValue(path)}.`,
      );
    }
    if (typeof make !== "function") {
      throw new TypeError(`${at}["${path}"]: expected a function, got ${describeValue(make)}.`);
    }
  }
}
