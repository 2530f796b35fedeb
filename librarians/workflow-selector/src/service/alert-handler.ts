import { optionField, parseOptions, readBodyBounded } from "@constellation/authoring";
import {
  MeshError,
  type Response as MeshResponse,
  type ServiceHost,
  type User,
} from "@constellation/core";
import { z } from "zod";
import { readAlerts } from "../incident/read-alerts.js";

/** Options for {@link createAlertHandler}. */
export interface AlertHandlerOptions {
  /**
   * Id of the librarian that gets the alerts.
   *
   * @default "workflow-selector"
   */
  readonly to?: string | undefined;
  /**
   * Maximum number of alerts in work. One more is refused with 503, and Alertmanager sends it again. Integer, 1 to 1,000.
   *
   * @default 8
   */
  readonly maxRuns?: number | undefined;
  /** Called with the response to an alert, such as to send the proposal to a chat. What it throws is ignored. */
  readonly onResponse?: ((response: MeshResponse, webhook: unknown) => void) | undefined;
}

const optionsSchema = z.strictObject({
  to: optionField.id().optional(),
  maxRuns: optionField.integer(1, 1_000).optional(),
  onResponse: optionField.callback<NonNullable<AlertHandlerOptions["onResponse"]>>().optional(),
});

/** Maximum size of a webhook, in bytes. */
const maxBodyBytes = 1_048_576;

/**
 * Takes webhooks of Alertmanager, Grafana, PagerDuty, Opsgenie, Datadog and CloudWatch, as a mount of a server:
 * `POST /alerts`. Each group of alerts that fires is a run of the mesh, with one result for each object; the reply, 202 with its `runId`, does not wait for it. A group that is in work already gets the same `runId`, and
 * one that is resolved is not asked about. `?wait=true` replies with the response instead.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function createAlertHandler(
  router: Pick<ServiceHost, "start">,
  options: AlertHandlerOptions = {},
): (request: Request, info?: { readonly user?: User | undefined }) => Promise<Response> {
  const {
    to = "workflow-selector",
    maxRuns = 8,
    onResponse,
  } = parseOptions(optionsSchema, options);
  const running = new Map<
    string,
    { readonly id: string; readonly response: Promise<MeshResponse> }
  >();

  const start = (webhook: unknown, key: string, user: User | undefined) => {
    const { id, response } = router.start(JSON.stringify(webhook), { to, ...(user && { user }) });
    const run = { id, response };
    running.set(key, run);
    void response.then((given) => {
      running.delete(key);
      try {
        onResponse?.(given, webhook);
      } catch {
        // The proposal is in the run's record, whatever became of its message.
      }
    });
    return run;
  };

  return async (request, info) => {
    if (request.method !== "POST") return refuse(405, "method: expected POST.", { allow: "POST" });
    const body = (await readBodyBounded(request, maxBodyBytes))?.toString("utf8");
    if (body === undefined) return refuse(413, `body: expected at most ${maxBodyBytes} bytes.`);
    const webhook = parsed(body);
    const alerts = readAlerts(webhook);
    if (alerts === undefined) {
      return refuse(400, "body: expected the payload of an alerting system, with an alert.");
    }
    if (alerts.every(({ isOver }) => isOver)) return reply(200, { ignored: "no alert fires" });
    const key = toKey(webhook, info?.user);
    const known = running.get(key);
    if (known === undefined && running.size >= maxRuns) {
      return refuse(503, `${maxRuns} alerts are in work. Send it again.`, { "retry-after": "10" });
    }
    const run = known ?? start(webhook, key, info?.user);
    const isAwaited = new URL(request.url).searchParams.get("wait") === "true";
    return isAwaited ? reply(200, await run.response) : reply(202, { runId: run.id });
  };
}

function toKey(webhook: unknown, user: User | undefined): string {
  const { groupKey } = webhook as { readonly groupKey?: unknown }; // an object, as checked
  const group = typeof groupKey === "string" ? groupKey : JSON.stringify(webhook);
  return JSON.stringify([user?.id ?? "", group]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  const code = status === 503 ? "SERVICE_UNAVAILABLE" : "INVALID_QUERY";
  return reply(status, { error: new MeshError(code, message).toInfo() }, headers);
}

function reply(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
}
