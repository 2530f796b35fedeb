import { resolve } from "node:path";
import { z } from "zod";

/** The parts of a JSON Schema that are used here. */
interface JsonSchema {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** The shape of a package's options, as far as its schema describes it. */
export class OptionsShape {
  readonly #schema: JsonSchema;

  /** @param schema - A zod schema; any other value has an unknown shape. */
  constructor(schema: unknown) {
    try {
      this.#schema = z.toJSONSchema(schema as z.ZodType, {
        io: "input",
        unrepresentable: "any",
      }) as JsonSchema;
    } catch {
      this.#schema = {};
    }
  }

  /** Valid keys of the map at a path. */
  keysAt(path: readonly PropertyKey[]): readonly string[] {
    let schemas = listVariants(this.#schema);
    for (const step of path) schemas = schemas.flatMap((one) => listVariants(findChild(one, step)));
    return [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))];
  }

  /** A copy in which every text of format `path` is an absolute path. */
  withPaths(value: unknown, folder: string): unknown {
    return withPaths(listVariants(this.#schema), value, folder);
  }
}

/** Formats that allow a path or a URL, such as postgres://. */
const isUrl = /^[a-z][a-z\d+.-]{1,30}:\/\//i;

function withPaths(schemas: readonly JsonSchema[], value: unknown, folder: string): unknown {
  if (typeof value === "string") {
    const isPath = schemas.some(({ format }) => format === "path") && !isUrl.test(value);
    return isPath ? resolve(folder, value) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const below = (step: PropertyKey) =>
    schemas.flatMap((schema) => listVariants(findChild(schema, step)));
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => withPaths(below(index), each, folder));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withPaths(below(key), each, folder)]),
  );
}

function listVariants(schema: JsonSchema | undefined): readonly JsonSchema[] {
  if (schema === undefined) return [];
  const { anyOf = [], oneOf = [], allOf = [] } = schema;
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(listVariants)];
}

function findChild(schema: JsonSchema, step: PropertyKey): JsonSchema | undefined {
  const { properties, additionalProperties, items, prefixItems } = schema;
  if (typeof step === "number") {
    return prefixItems?.[step] ?? (Array.isArray(items) ? items[step] : (items as JsonSchema));
  }
  const named =
    properties !== undefined && Object.hasOwn(properties, step)
      ? properties[String(step)]
      : undefined;
  return named ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
}
