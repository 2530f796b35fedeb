import type { parseSeen } from "./times.js";

/** An event in the form of the API. */
export function eventObject({
  kind,
  name,
  namespace,
  seen,
  type,
  reason,
  message,
}: {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly seen: ReturnType<typeof parseSeen>;
  readonly type: string | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}) {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      name: `${name}.${reason ?? ""}.${seen?.last ?? "0"}`.toLowerCase(),
      namespace: namespace ?? "default",
    },
    involvedObject: { kind, name, ...(namespace !== undefined && { namespace }) },
    type,
    reason,
    message,
    ...(seen !== undefined && {
      firstTimestamp: seen.first,
      lastTimestamp: seen.last,
      count: seen.count,
    }),
  };
}
