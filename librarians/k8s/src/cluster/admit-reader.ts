import { sanitizeText } from "@constellation/authoring";
import { admit, isAdmitted } from "./admit.js";
import { cleanName, cleanRecord } from "./clean.js";
import type { ClusterEvent, ClusterReader, KubernetesObject, Usage } from "./cluster-reader.js";
import { passThrough } from "./pass-through.js";

/** Wraps a custom reader so that its objects, events, logs and measurements are admitted like those of files and servers. */
export function admitReader(reader: ClusterReader): ClusterReader {
  return {
    ...passThrough(reader, admitReader),
    async list(kind, options) {
      const result = await reader.list(kind, options);
      return { ...result, items: result.items.flatMap((one) => admitObject(one) ?? []) };
    },
    async get(kind, namespace, name, options) {
      const { object, ...rest } = await reader.get(kind, namespace, name, options);
      const admitted = object && admitObject(object);
      return admitted === undefined ? rest : { ...rest, object: admitted };
    },
    async events(options) {
      const result = await reader.events(options);
      return { ...result, items: result.items.map(cleanEvent) };
    },
    async logs(options) {
      const result = await reader.logs(options);
      return result.text === undefined ? result : { ...result, text: sanitizeText(result.text) };
    },
    async usage(options) {
      const result = await reader.usage(options);
      return { ...result, items: result.items.map(cleanUsage) };
    },
  };
}

function admitObject(object: KubernetesObject): KubernetesObject | undefined {
  return isAdmitted(object) ? object : admit(object);
}

function cleanEvent(event: ClusterEvent): ClusterEvent {
  const { name, involved, type, reason, message } = event;
  return {
    ...event,
    ...cleanRecord({ ...event }),
    name: cleanName(name),
    involved: {
      ...involved,
      ...cleanRecord({ ...involved }),
      kind: cleanName(involved.kind),
      name: cleanName(involved.name),
    },
    type: cleanName(type),
    reason: cleanName(reason),
    message: sanitizeText(message),
  };
}

function cleanUsage(usage: Usage): Usage {
  return { ...usage, ...cleanRecord({ ...usage }) };
}
