/** Name of the mesh of the drills. */
export const drillMesh = "drill";

/** How long one piece of work takes, in milliseconds. */
export const workMs = 40;

/** A piece of work. */
export interface Work {
  readonly id: string;
  /** When its caller gives up: epoch milliseconds. */
  readonly due: number;
}
