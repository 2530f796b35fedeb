import type { KubernetesObject } from "../cluster/cluster-reader.js";

/** A flag of a command with its value. */
interface Option {
  readonly flag: string;
  readonly value: string;
}

/**
 * A command for a person to run, which only reads.
 *
 * What is in the template is written as it is. Values are names from a cluster or a file: they are
 * quoted for the shell where that is needed.
 *
 * @returns The command, or nothing when a value could be read as a flag, holds a control character or is not
 *   the name as the cluster has it.
 *
 * @example
 * ```ts
 * kubectl`logs ${name}${option("-n", namespace)}`;
 * ```
 */
export function kubectl(
  words: TemplateStringsArray,
  ...values: readonly (string | Option | undefined)[]
): readonly string[] {
  let command = `kubectl ${words[0] ?? ""}`;
  for (const [index, value] of values.entries()) {
    const text = typeof value === "object" ? value.value : value;
    if (text !== undefined && !isWritable(text)) return [];
    if (typeof value === "object") command += ` ${value.flag}`;
    if (text !== undefined)
      command += `${typeof value === "object" ? " " : ""}${shellQuoted(text)}`;
    command += words[index + 1] ?? "";
  }
  return [command];
}

/** A flag and its value; nothing when there is no value. */
export function option(flag: string, value: string | undefined): Option | undefined {
  return value === undefined ? undefined : { flag, value };
}

/** `kubectl describe` of an object. */
export function describeCommand({ kind, metadata }: KubernetesObject): readonly string[] {
  return kubectl`describe ${kind.toLowerCase()} ${metadata.name}${option("-n", metadata.namespace)}`;
}

function isWritable(text: string): boolean {
  // A clean name with a character written out is not the object's own name.
  return text !== "" && !text.startsWith("-") && !/[\p{C}\u2028\u2029]|\\u\{|…/u.test(text);
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
