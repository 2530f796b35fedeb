import { readQuestion } from "@constellation/nlu";
import { expect, it } from "vitest";
import { readTimeWindow } from "./time-window.js";

const now = Date.parse("2026-03-14T09:45:00Z");
const minute = 60_000;
const defaults = { windowMs: 15 * minute, baselineMs: 60 * minute, lookbackMs: 360 * minute };

function windowOf(question: string) {
  const { baselineStart, start, end } = readTimeWindow(readQuestion(question), now, defaults);
  return [baselineStart, start, end].map((at) => new Date(at).toISOString().slice(5, 16));
}

it("takes the last quarter of an hour, against six hours, where no time is named", () => {
  expect(windowOf("is checkout slow?")).toEqual(["03-14T03:30", "03-14T09:30", "03-14T09:45"]);
});

it.each([
  ["errors in the last 30 minutes", ["03-14T08:15", "03-14T09:15", "03-14T09:45"]],
  ["errors in the past 2h", ["03-14T06:45", "03-14T07:45", "03-14T09:45"]],
  ["errors in the last hour", ["03-14T07:45", "03-14T08:45", "03-14T09:45"]],
  ["how was it 2 hours ago", ["03-14T06:45", "03-14T07:45", "03-14T08:00"]],
  [
    "errors in the previous half hour or the last two hours",
    ["03-14T06:45", "03-14T07:45", "03-14T09:45"],
  ],
  ["slow since 09:00?", ["03-14T08:00", "03-14T09:00", "03-14T09:45"]],
  ["what happened at 09:05?", ["03-14T08:05", "03-14T09:05", "03-14T09:20"]],
  ["what happened at 23:30?", ["03-13T22:30", "03-13T23:30", "03-13T23:45"]],
  ["what happened at 2026-03-12T10:00Z", ["03-12T09:00", "03-12T10:00", "03-12T10:15"]],
  ["what happened at 2026-03-14T11:00+02:00", ["03-14T08:00", "03-14T09:00", "03-14T09:15"]],
])("reads the time of %j, against the hour before", (question, expected) => {
  expect(windowOf(question)).toEqual(expected);
});

it.each([
  "at 25:00",
  "at 12:75",
  "at 2026-13-45T10:00",
  "at 2027-01-01T00:00Z",
  "since 2020-01-01T00:00Z",
  "in the last 0 minutes",
])("takes a time that cannot be meant for none: %s", (question) => {
  expect(windowOf(question)).toEqual(windowOf("how is it?"));
});

it("asks for a week at most", () => {
  const { start } = readTimeWindow(readQuestion("in the last 900 days"), now, defaults);

  expect(now - start).toBe(7 * 24 * 60 * minute);
});

it("reports a time that it cannot read", () => {
  expect(readTimeWindow(readQuestion("was it slow last Tuesday?"), now, defaults).unread).toBe(
    "last Tuesday",
  );
  expect(readTimeWindow(readQuestion("is it slow?"), now, defaults).unread).toBeUndefined();
});
