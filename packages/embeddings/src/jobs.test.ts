import { describe, expect, it } from "vitest";
import { createJobs } from "./jobs.js";

const vector = (value: number) => Float32Array.of(value);

describe("createJobs", () => {
  it("lets a short call overtake a long one, and gives each its vectors in order", async () => {
    const jobs = createJobs();
    const long = jobs.add([[1], [2], [3]]);
    jobs.next()?.done(vector(1));
    const short = jobs.add([[9]]);

    const turn = jobs.next();
    expect(turn?.text()).toEqual([9]);
    turn?.done(vector(9));
    jobs.next()?.done(vector(2));
    jobs.next()?.done(vector(3));

    expect(await short).toEqual([vector(9)]);
    expect(await long).toEqual([vector(1), vector(2), vector(3)]);
    expect(jobs.next()).toBeUndefined();
  });

  it("drops a call that is aborted, also while one of its texts is embedded", async () => {
    const jobs = createJobs();
    const controller = new AbortController();
    const result = jobs.add([[1], [2]], controller.signal);
    const turn = jobs.next();

    controller.abort(new Error("left"));
    turn?.done(vector(1));

    await expect(result).rejects.toThrow("left");
    expect(jobs.next()).toBeUndefined();
    await expect(jobs.add([[1]], controller.signal)).rejects.toThrow("left");
  });

  it("fails all that wait, and gives nothing for nothing", async () => {
    const jobs = createJobs();
    const result = jobs.add([[1]]);
    jobs.failAll(new Error("ended"));

    await expect(result).rejects.toThrow("ended");
    expect(await jobs.add([])).toEqual([]);
  });
});
