import type { Subject } from "../question/subject.js";
import type { Alert, Series } from "../reader/metrics-reader.js";
import type { Assessment } from "../signals/assess.js";

/** One entry of `metadata.facts`: what was measured, with query, value and time. No cause, no advice. */
export type MetricFact = Readonly<Record<string, unknown>> & {
  /** What the value shows, such as `HighErrorRate`; `Measured` where it shows nothing unusual. */
  readonly signal_type: string;
};

const abnormalTypes: Readonly<Record<Assessment["signal"]["aspect"], string>> = {
  traffic: "TrafficDrop",
  errors: "HighErrorRate",
  latency: "HighLatency",
  saturation: "HighSaturation",
};

/** A measurement as a fact. */
export function toFact(assessment: Assessment, { name }: Subject): MetricFact {
  const { signal, current, baseline, change, isAbnormal, since, lastAt } = assessment;
  return {
    signal_type: isAbnormal ? abnormalTypes[signal.aspect] : "Measured",
    resource_name: name,
    measurement: signal.title,
    query: signal.query,
    value: current,
    unit: signal.unit,
    time: new Date(lastAt).toISOString(),
    ...(baseline !== undefined && { baseline }),
    change,
    ...(since !== undefined && { first_seen: new Date(since).toISOString() }),
  };
}

/** An alert as a fact. */
export function alertFact({ state, labels, activeAt, value }: Alert): MetricFact {
  return {
    signal_type: state === "firing" ? "AlertFiring" : "AlertPending",
    alert: labels.alertname ?? "",
    severity: labels.severity ?? "",
    query: `ALERTS{alertname="${labels.alertname ?? ""}"}`,
    value,
    time: Number.isFinite(activeAt) ? new Date(activeAt).toISOString() : "",
    labels,
  };
}

/** The last value of a series as a fact; none for a series without samples. */
export function seriesFacts(query: string, series: readonly Series[]): readonly MetricFact[] {
  return series.flatMap(({ labels, samples }) => {
    const last = samples.at(-1);
    return last === undefined
      ? []
      : [
          {
            signal_type: "Measured",
            query,
            labels,
            // As text where JSON has no number for it.
            value: Number.isFinite(last.value) ? last.value : String(last.value),
            time: new Date(last.at).toISOString(),
          },
        ];
  });
}
