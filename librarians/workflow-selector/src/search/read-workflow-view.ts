import { MeshError } from "@constellation/core";
import { z } from "zod";
import type { WorkflowSearch } from "./search-workflow-catalog.js";

const viewSchema = z.object({
  workflow_id: z.string().optional(),
  playbook_id: z.string().optional(),
  version: z.string(),
  description: z.string(),
  confidence: z.number().min(0).max(1),
});

const searchSchema = z.object({
  workflows: z.array(viewSchema).optional(),
  playbooks: z.array(viewSchema).optional(),
  total_results: z.number().int().min(0),
});

/**
 * Reads the result of a search from elsewhere. `playbooks` and `playbook_id` mean workflows.
 *
 * @throws MeshError `DATA_SOURCE_ERROR`, reason `invalid-response`, for another shape.
 */
export function readWorkflowSearch(value: unknown): WorkflowSearch {
  const read = searchSchema.safeParse(value);
  const list = read.data?.workflows ?? read.data?.playbooks;
  if (!read.success || list === undefined) throw wrongShape();
  const workflows = list.map(({ workflow_id, playbook_id, version, description, confidence }) => {
    const id = workflow_id ?? playbook_id;
    if (id === undefined) throw wrongShape();
    return { workflow_id: id, version, description, confidence };
  });
  return { workflows, total_results: Math.max(read.data.total_results, workflows.length) };
}

function wrongShape(): MeshError {
  return new MeshError(
    "DATA_SOURCE_ERROR",
    "The catalog's reply has another shape than expected.",
    {
      reason: "invalid-response",
    },
  );
}
