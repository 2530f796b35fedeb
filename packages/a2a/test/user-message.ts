import { Role, type SendMessageRequest } from "@a2a-js/sdk";

/** A request that asks something, as an A2A client sends it. */
export function userMessage(
  text: string,
  more: Partial<NonNullable<SendMessageRequest["message"]>> = {},
  configuration?: SendMessageRequest["configuration"],
): SendMessageRequest {
  return {
    tenant: "",
    message: {
      messageId: "m-1",
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts: [
        {
          content: { $case: "text", value: text },
          metadata: undefined,
          filename: "",
          mediaType: "",
        },
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...more,
    },
    configuration,
    metadata: undefined,
  };
}
