import { randomUUID } from "node:crypto";
import type { Response, User, WaitAnswer, Waiting } from "@constellation/core";
import { mayAnswer } from "@constellation/core/checks";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** A wait that a client asks its user about. */
export interface PendingInput {
  readonly wait: Waiting;
  /** Id of the user whose run it is: no one else continues it here. */
  readonly owner: string | undefined;
  /** Response for a client whose user postpones the answer. */
  readonly response: Response;
}

/** Waits that clients of one handler ask their users about, by the state of the request. */
export type PendingInputs = Map<string, PendingInput>;

/** Maximum number of such waits at once; the oldest are still in the journal. */
const maxPending = 1_000;

const inputKey = "answer";

/** The first wait of a response that this client can ask this user about. */
export function findElicited(
  response: Response,
  user: User | undefined,
  capabilities: ClientCapabilities | undefined,
  context: ServerContext,
): Waiting | undefined {
  const own: unknown = Reflect.get(Object(context.mcpReq.envelope), CLIENT_CAPABILITIES_META_KEY);
  if (Object(capabilities ?? own).elicitation === undefined) return undefined;
  return response.metadata?.waiting?.find(
    (wait) => schemaFor(wait) !== undefined && mayAnswer(wait, user),
  );
}

/**
 * Makes the client ask its user: by `input_required`, or by `elicitation/create` in older protocols. The
 * tool is then called again.
 */
export function elicit(pending: PendingInput, inputs: PendingInputs): InputRequiredResult {
  const state = randomUUID();
  inputs.set(state, pending);
  const [oldest] = inputs.keys();
  if (inputs.size > maxPending && oldest !== undefined) inputs.delete(oldest);
  const { what, why, data } = pending.wait;
  const message = [what, why, data === undefined ? undefined : JSON.stringify(data, null, 1)];
  return inputRequired({
    requestState: state,
    inputRequests: {
      [inputKey]: inputRequired.elicit({
        message: message.filter((part) => part !== undefined).join("\n"),
        requestedSchema: schemaFor(pending.wait) ?? { type: "object", properties: {} },
      }),
    },
  });
}

/** Takes the wait that a repeated call belongs to. Only its own user's client has it. */
export function takePending(
  context: ServerContext,
  user: User | undefined,
  inputs: PendingInputs,
): PendingInput | undefined {
  const state: unknown = context.mcpReq.requestState();
  if (typeof state !== "string") return undefined;
  const pending = inputs.get(state);
  if (pending === undefined || pending.owner !== user?.id) return undefined;
  inputs.delete(state);
  return pending;
}

/** Answer of the user; `undefined`: none yet. */
export function readElicited(
  { kind }: Waiting,
  context: ServerContext,
): Omit<WaitAnswer, "id"> | undefined {
  const given = inputResponse(context.mcpReq.inputResponses, inputKey);
  if (given.kind !== "elicit" || given.action === "cancel") return undefined;
  if (given.action === "decline") return { approve: false };
  const { approve, value, comment } = given.content ?? {};
  if (kind === "question") return { value };
  return { approve: approve === true, ...(typeof comment === "string" && { comment }) };
}

type FormSchema = Extract<
  Parameters<typeof inputRequired.elicit>[0]["requestedSchema"],
  { readonly type: "object" }
>;

/** @returns `undefined` for a schema that a flat form cannot express. */
function schemaFor({ kind, what, schema }: Waiting): FormSchema | undefined {
  if (kind === "approval") {
    return {
      type: "object",
      properties: {
        approve: { type: "boolean", title: "Approve", description: what },
        comment: { type: "string", title: "Comment" },
      },
      required: ["approve"],
    };
  }
  if (kind !== "question") return undefined;
  const type = schema?.type ?? "string";
  const about = { title: "Answer", description: what };
  if (type === "string") return wrapField({ type, ...about });
  if (type === "boolean") return wrapField({ type, ...about });
  return type === "number" || type === "integer" ? wrapField({ type, ...about }) : undefined;
}

function wrapField(value: FormSchema["properties"][string]): FormSchema {
  return { type: "object", properties: { value }, required: ["value"] };
}
