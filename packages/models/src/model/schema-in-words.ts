import type { JsonSchema, ModelFormat } from "./port.js";

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

/** Adds the schema to the instructions, for services that cannot enforce it. */
export function askInWords(system: string | undefined, { schema }: ModelFormat): string {
  const words = `Reply with one JSON object and nothing else. It must fit this JSON schema:\n${JSON.stringify(schema)}`;
  return system === undefined ? words : `${system}\n\n${words}`;
}
