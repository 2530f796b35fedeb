import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The cluster of the incident example. */
export const recordedCluster = fileURLToPath(new URL("../../incident/cluster", import.meta.url));

const deploymentsSchema = z.looseObject({
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ name: z.string() }),
      spec: z.looseObject({
        template: z.looseObject({
          spec: z.looseObject({
            containers: z.array(
              z.looseObject({
                name: z.string(),
                resources: z.looseObject({ limits: z.looseObject({ memory: z.string() }) }),
              }),
            ),
          }),
        }),
      }),
    }),
  ),
});

/** A cluster whose deployments can be changed. */
export interface Cluster {
  /** Changes are listed and not made. */
  readonly isDry: boolean;
  /** What was changed, or would have been. */
  readonly changes: readonly string[];
  memoryOf(deployment: string, container: string): string | undefined;
  setMemory(deployment: string, container: string, memory: string): string;
}

/** @param copy - Where a copy is made that is changed. Without it nothing is. */
export function openCluster(copy: string | undefined): Cluster {
  if (copy !== undefined) cpSync(recordedCluster, copy, { recursive: true });
  const file = join(copy ?? recordedCluster, "production", "deployments.json");
  const changes: string[] = [];

  function read() {
    return deploymentsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  }

  function find(all: ReturnType<typeof read>, deployment: string, container: string) {
    return all.items
      .find(({ metadata }) => metadata.name === deployment)
      ?.spec.template.spec.containers.find(({ name }) => name === container)?.resources.limits;
  }

  return {
    isDry: copy === undefined,
    changes,
    memoryOf: (deployment, container) => find(read(), deployment, container)?.memory,
    setMemory(deployment, container, memory) {
      const all = read();
      const limits = find(all, deployment, container);
      if (limits === undefined) throw new Error(`${deployment} has no container ${container}.`);
      const change = `production/Deployment/${deployment} ${container}: memory ${limits.memory} -> ${memory}`;
      changes.push(change);
      limits.memory = memory;
      if (copy !== undefined) writeFileSync(file, JSON.stringify(all));
      return change;
    },
  };
}
