import type { MeshEvent, Run } from "@constellation/core";

/** The events of a run that has ended. */
export async function eventsOf(run: Run): Promise<readonly MeshEvent[]> {
  const events: MeshEvent[] = [];
  for await (const event of run.events) events.push(event);
  return events;
}
