import type { JsonSchema, ModelRequest } from "./port.js";

/**
 * Whether a schema has open parts, such as the keys of a record or a value of any type. A service that
 * enforces schemas closes open parts, so a record would come back empty.
 */
export function isOpen(schema: JsonSchema): boolean {
  const isOpenNode = (node: unknown): boolean => {
    if (typeof node !== "object" || node === null) return false;
    if (Array.isArray(node)) return node.some(isOpenNode);
    const {
      additionalProperties = false,
      propertyNames,
      properties,
      ...rest
    } = node as Partial<Record<string, unknown>>;
    const members = typeof properties === "object" && properties !== null ? properties : {};
    return (
      additionalProperties !== false ||
      propertyNames !== undefined ||
      Object.values(members).some((member) => isUntyped(member) || isOpenNode(member)) ||
      isUntyped(rest.items) ||
      Object.values(rest).some(isOpenNode)
    );
  };
  return isOpenNode(schema);
}

const typing = ["type", "anyOf", "oneOf", "allOf", "enum", "const", "$ref"];

function isUntyped(schema: unknown): boolean {
  return (
    typeof schema === "object" &&
    schema !== null &&
    !Array.isArray(schema) &&
    !typing.some((keyword) => keyword in schema)
  );
}

/**
 * The instructions of a request.
 *
 * @param isEnforced - Whether the service enforces the schema; otherwise the instructions contain it.
 * @returns `undefined` where there are none.
 */
export function instructions(
  { system, format }: Pick<ModelRequest<unknown>, "system" | "format">,
  isEnforced: boolean,
): string | undefined {
  if (format === undefined || isEnforced) return system || undefined;
  const words = `Reply with one JSON object and nothing else. It must fit this JSON schema:\n${JSON.stringify(format.schema)}`;
  return system === undefined ? words : `${system}\n\n${words}`;
}
