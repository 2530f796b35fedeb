import { type CommandIO, exitCodes } from "../command-io.js";
import { meshFileJsonSchema } from "../mesh/mesh-file.schema.js";
import { printableJson } from "../terminal/printable-data.js";

/** `constellation schema`: the JSON Schema of mesh files, for editors. */
export async function schema({ stdout }: CommandIO): Promise<number> {
  stdout.write(`${printableJson(await meshFileJsonSchema())}\n`);
  return exitCodes.answered;
}
