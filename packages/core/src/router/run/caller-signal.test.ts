import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { followSignal, unfollowSignal } from "./caller-signal.js";

describe("followSignal", () => {
  it("calls every follower, with the caller's reason, through one listener", () => {
    const caller = new AbortController();
    const followers = Array.from({ length: 50 }, () => ({ callerAborted: vi.fn() }));
    for (const each of followers) followSignal(caller.signal, each);

    expect(getEventListeners(caller.signal, "abort")).toHaveLength(1);
    caller.abort("enough");

    for (const each of followers) expect(each.callerAborted).toHaveBeenCalledWith("enough");
  });

  it("lets go of the signal with the last follower, and follows again", () => {
    const { signal } = new AbortController();
    const [one, two] = [{ callerAborted: vi.fn() }, { callerAborted: vi.fn() }];
    followSignal(signal, one);
    followSignal(signal, two);

    unfollowSignal(signal, one);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    unfollowSignal(signal, two);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    followSignal(signal, one);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
  });

  it("does not call a follower that was removed", () => {
    const caller = new AbortController();
    const [gone, here] = [{ callerAborted: vi.fn() }, { callerAborted: vi.fn() }];
    followSignal(caller.signal, gone);
    followSignal(caller.signal, here);

    unfollowSignal(caller.signal, gone);
    caller.abort();

    expect(gone.callerAborted).not.toHaveBeenCalled();
    expect(here.callerAborted).toHaveBeenCalledTimes(1);
  });
});
