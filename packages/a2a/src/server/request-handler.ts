import type { SendMessageRequest, SendMessageResult, StreamResponse } from "@a2a-js/sdk";
import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { DefaultRequestHandler, type ServerCallContext } from "@a2a-js/sdk/server";

/** The SDK's request handler, where each message begins a task: a mesh asks no questions back. */
export class RequestHandler extends DefaultRequestHandler {
  override async sendMessage(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): Promise<SendMessageResult> {
    refuseFollowUp(params);
    return super.sendMessage(params, context);
  }

  override async *sendMessageStream(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    refuseFollowUp(params);
    yield* super.sendMessageStream(params, context);
  }
}

function refuseFollowUp({ message }: SendMessageRequest): void {
  if (message?.taskId) {
    throw new UnsupportedOperationError(
      "A task takes no further messages. Send the question without a task id.",
    );
  }
}
