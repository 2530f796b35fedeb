import { expect, it } from "vitest";
import { alignSentence } from "./align-sentence.js";
import { readPassages } from "./ground.js";
import { groundText } from "./ground-text.js";

const [pump, valve] = readPassages([
  {
    id: "pump",
    text: "Pump north-2 runs at 40 bar since 06:15. It must not be started dry. Start it with `pumpctl start north-2`.",
  },
  { id: "valve", text: "Valve east-7 opens below 12 bar and is checked by Ms Ivarsen on Mondays." },
]);
const [beacon] = readPassages([
  { id: "beacon", text: "The beacon sends at 243 MHz; its tank holds 4 m³." },
]);
if (pump === undefined || valve === undefined || beacon === undefined)
  throw new Error("two passages");

it.each([
  ["Since 06:15 pump north-2 has been running at 40 bar.", pump],
  ["Starting it dry is forbidden, pump north-2 must not be started dry.", pump],
  ["Ms Ivarsen checks the valve east-7 on Mondays.", valve],
  ["The beacon sends at 243 megahertz and its tank holds 4 cubic metres.", beacon],
])("keeps what a passage says in other words: %s", (sentence, passage) => {
  expect(alignSentence(sentence, [passage])).toEqual([]);
});

it.each([
  ["Pump north-2 runs at 40 psi.", pump, "unit"],
  ["Pump north-2 runs at 50 bar.", pump, "number"],
  ["Pump north-3 runs at 40 bar.", pump, "name"],
  ["Pump north-2 runs at 40 bar since 16:15.", pump, "time"],
  ["Pump north-2 does not run at 40 bar.", pump, "denial"],
  ["Run `pumpctl start north-2 --force`.", pump, "code"],
  ["Valve east-7 opens above 12 bar.", valve, "direction"],
  ["All valves open below 12 bar.", valve, "total"],
  ["Ventil east-7 ist geschlossen und wird nicht geprüft.", valve, "language"],
] as const)("says what does not align: %s", (sentence, passage, why) => {
  expect(alignSentence(sentence, [passage])).toContain(why);
});

const yields = readPassages([
  { id: "y", text: "Orchard 4 gave 22 kg at 08:10, orchard 7 gave 9 kg at 08:55." },
]);

const dam = readPassages([
  {
    id: "dam",
    text: "The sluice of Lake Orn is open from 7 am to noon; the lock needs 50 minutes, the lift 22. Do not pass while the siren sounds. Boats of at most 24 m may enter. In use are the gates Alder, Birch and Cedar.",
  },
]);

it.each([
  "The sluice is open for five hours.",
  "The lock needs 28 minutes longer than the lift.",
  "Boats of no more than 24 m may enter.",
  "You may pass, but not while the siren sounds.",
  "The three gates Alder, Birch and Cedar are in use.",
])("keeps what follows from times, limits and lists: %s", (sentence) => {
  expect(alignSentence(sentence, dam)).toEqual([]);
});

it.each([
  ["The sluice is open for seven hours.", "number"],
  ["The lock needs 31 minutes longer than the lift.", "number"],
  ["Boats of no less than 24 m may enter.", "direction"],
  ["You may pass while the siren sounds.", "denial"],
  ["The five gates Alder, Birch and Cedar are in use.", "number"],
])("finds what does not follow from them: %s", (sentence, why) => {
  expect(alignSentence(sentence, dam)).toContain(why);
});

it.each([
  "Orchard 4 gave more than orchard 7.",
  "Orchard 4 gave 13 kg more than orchard 7.",
  "Orchard 7 was 45 minutes later than orchard 4.",
  "Orchard 7 was three quarters of an hour later than orchard 4.",
])("keeps what follows by computing: %s", (sentence) => {
  expect(alignSentence(sentence, yields)).toEqual([]);
});

it.each([
  ["Orchard 7 gave more than orchard 4.", "comparison"],
  ["Orchard 4 was later than orchard 7.", "comparison"],
  ["Orchard 4 gave 14 kg more than orchard 7.", "number"],
  ["Orchard 7 gave 22 kg.", "subject"],
])("says what computing denies: %s", (sentence, why) => {
  expect(alignSentence(sentence, yields)).toContain(why);
});

it("keeps a row of a table as it stands in its source, whatever its marks", () => {
  const rows = readPassages([
    {
      id: "t",
      text: "Says | Do\nnot found | no zone has it: add one, or wait\nexceeded quota | ask",
    },
  ]);
  expect(alignSentence("| `not found` | no zone has it: add one, or wait |", rows)).toEqual([]);
});

it("takes a cause for no owner", () => {
  const facts = readPassages([
    { id: "f", text: "Pending of claim data-0 in shop-a. data-0 is failing. Full" },
  ]);
  expect(alignSentence("claim data-0 is failing because of Full.", facts)).toEqual([]);
});

it("speaks of a passage that is not cited", () => {
  expect(alignSentence("Valve east-7 is checked on Mondays.", [pump], [valve])).not.toEqual([]);
});

it("puts the words of the source in place of a lie, or leaves it out", () => {
  const grounded = groundText(
    "Pump north-2 runs at 400 bar. Zebras graze near quiet rivers tonight.\n\n- Pump north-2 runs since 06:15.",
    [pump],
  );
  expect(grounded.text).toBe(
    "Pump north-2 runs at 40 bar since 06:15.\n\n- Pump north-2 runs since 06:15. It must not be started dry.",
  );
  expect(grounded.kept).toBe(1);
  expect(grounded.ungrounded.map(({ replacedBy }) => replacedBy)).toEqual([
    "Pump north-2 runs at 40 bar since 06:15.",
    undefined,
    "Pump north-2 runs since 06:15. It must not be started dry.",
  ]);
});

it.each(["a-", "1,000", "--x", "`", "from 1 to ", "no ", "key=", "not. "])(
  "reads hostile text of repeated %j",
  (unit) => {
    const text = unit.repeat(4_000);
    expect(readPassages([{ id: "hostile", text }])).toHaveLength(1);
    expect(groundText(text, [pump]).text.length).toBeLessThan(text.length + 1);
  },
);

const [flat, ferries] = readPassages([
  {
    id: "flat",
    text: "The landlord pays the heating, the tenant water and gas. The kitchen was renovated in 2019. The garden lies on the north side.",
  },
  {
    id: "ferries",
    text: "The ferry Alma carries 60 cars, the ferry Bodil 44. Tickets on the Alma rose from 12 to 15 EUR in June.",
  },
]);
if (flat === undefined || ferries === undefined) throw new Error("two passages");

it.each([
  ["The tenant pays the heating.", flat, "subject"],
  ["The tenant pays the heating, the landlord water and gas.", flat, "subject"],
  ["The kitchen was not renovated.", flat, "denial"],
  ["The garden lies on the south side.", flat, "denial"],
  ["The Bodil carries more cars than the Alma.", ferries, "comparison"],
  ["Tickets on the Alma fell in June.", ferries, "comparison"],
] as const)("says what is given to another thing: %s", (sentence, passage, why) => {
  expect(alignSentence(sentence, [passage])).toContain(why);
});

it.each([
  ["The heating is paid by the landlord.", flat],
  ["The tenant pays water and gas, the landlord the heating.", flat],
  ["The garden is on the north side.", flat],
  ["The Alma carries more cars than the Bodil.", ferries],
  ["Tickets on the Alma rose in June.", ferries],
])("keeps what is given to the same thing: %s", (sentence, passage) => {
  expect(alignSentence(sentence, [passage])).toEqual([]);
});

it("wants the warning of a step also where the step stands in other words, unless it may be left out", () => {
  const passages = readPassages([
    {
      id: "kiln",
      text: "To cool the kiln, open both flaps. The fan must keep running, otherwise the lining cracks.",
    },
  ]);
  const sentence = "The kiln is cooled: open both flaps.";

  expect(groundText(sentence, passages)).toMatchObject({
    text: `${sentence} The fan must keep running, otherwise the lining cracks.`,
    ungrounded: [{ why: ["warning"] }],
  });
  expect(groundText(sentence, passages, { allows: ["warning"] }).text).toBe(sentence);
});

const lifts = readPassages([
  {
    id: "lifts",
    text: "Lift a-3 stopped 9 times today, cable length 40 m. Lift b-8 ran all day, 0 stops, cable length 65 m. Occupancy: 62 % in shift 4, 48 % in shift 3. Queue at the gate: 140 at 06:00, 900 at 07:00, 310 at 08:00. The crew of mill 2 went from 6 to 10.",
  },
]);

it.each([
  "The cable length of lift b-8 is greater than that of lift a-3.",
  "The occupancy of 62 % was above the 48 % of shift 3.",
  "The occupancy was higher in shift 4 (62 %) than in shift 3 (48 %).",
  "The queue at the gate grew from 140 to 900 between 06:00 and 07:00.",
  "The queue at the gate was longer at 07:00 than at 06:00.",
])("keeps a comparison that follows, however it is put: %s", (sentence) => {
  expect(alignSentence(sentence, lifts)).toEqual([]);
});

it.each([
  "The cable length of lift a-3 is greater than that of lift b-8.",
  "The occupancy of 48 % was above the 62 % of shift 4.",
  "A smaller share of occupancy was seen in shift 4 than in shift 3.",
  "The queue at the gate was shorter at 07:00 than at 06:00.",
  "The crew of mill 2 went down from 10 to 6.",
])("says what computing denies, however it is put: %s", (sentence) => {
  expect(alignSentence(sentence, lifts)).toContain("comparison");
});

it.each([
  [
    "Lock the hatch, then lift it with the winch.",
    "Before you lift the hatch, lock it. Then lift it with the winch. Never lift it above 2 m, the chain snaps.",
    "Never lift it above 2 m, the chain snaps.",
  ],
  [
    "Changing the filter is done in 5 minutes.",
    "Changing the filter takes 5 minutes. Do not change it before the pump has cooled down.",
    "Do not change it before the pump has cooled down.",
  ],
  [
    "```sh\nwinch lift --all\n```",
    "Run `winch lift --all`. Never lift more than two hatches at once.",
    "Never lift more than two hatches at once.",
  ],
])("adds the warning that belongs to what is said: %s", (text, source, warning) => {
  const passages = readPassages([{ id: "w", text: source }]);
  expect(groundText(text, passages).text.endsWith(warning)).toBe(true);
});

it("judges a sentence against many others", () => {
  const text = Array.from(
    { length: 100 },
    (_, at) => `Pump P-${at} runs at ${at} bar and is checked by Ms Nr${at}.`,
  ).join(" ");
  expect(alignSentence("Pump P-7 runs at 7 bar.", readPassages([{ id: "all", text }]))).toEqual([]);
});

const [rollout, report] = readPassages([
  {
    id: "rollout",
    text: "Log line 17:32:08: connection refused since 17:31: certificate expired. Node north-4: disk pressure false. Reload with `px reload north-4`.",
  },
  { id: "report", text: "Average run time in October: 410 s; in November: 580 s." },
]);
if (rollout === undefined || report === undefined) throw new Error("two passages");

it.each([
  ["The connection was refused at 17:32:08, since 17:31.", rollout],
  ["Node north-4 has no disk pressure.", rollout],
  ["Reload the node north-4 with `px reload north-4`.", rollout],
  ["The average run was 170 seconds longer in November than in October.", report],
])("keeps what follows from a record: %s", (sentence, passage) => {
  expect(alignSentence(sentence, [passage])).toEqual([]);
});

const crash = readPassages([
  {
    id: "crash",
    text: "Pod api-7c9 is in CrashLoopBackOff: container api exits with code 1, restarted 14 times. Its last log line is: cannot connect to db:5432.",
  },
]);

it.each([
  "The api runs out of memory.",
  "The api ran out of memory.",
  "The api is healthy.",
  "The api needs more replicas.",
  "The api was deployed yesterday.",
  "The container is too slow.",
])("takes no short claim that its source does not make: %s", (sentence) => {
  expect(alignSentence(sentence, crash)).not.toEqual([]);
});

it.each([
  "The container api exits with code 1.",
  "The api crashes in a loop.",
  "api-7c9 was restarted 14 times.",
])("keeps a short claim that its source makes: %s", (sentence) => {
  expect(alignSentence(sentence, crash)).toEqual([]);
});

const nodes = readPassages([
  {
    id: "nodes",
    text: "Node east-1 has been NotReady since 22:04. Node east-2 is Ready. Books are lent for 28 days, films for 7 days; books can be renewed twice, films not.",
  },
]);

it.each([
  ["Node east-2 has been NotReady since 22:04, while east-1 is Ready.", "subject"],
  ["Books cannot be renewed.", "denial"],
] as const)("sees what is exchanged or denied: %s", (sentence, why) => {
  expect(alignSentence(sentence, nodes)).toContain(why);
});

it.each([
  "Node east-1 has been NotReady since 22:04, while east-2 is Ready.",
  "Films cannot be renewed.",
  "Books can be renewed twice.",
])("keeps what is neither: %s", (sentence) => {
  expect(alignSentence(sentence, nodes)).toEqual([]);
});

it.each([
  [
    "The data comes back with `ship restore --to last`.",
    "A restore overwrites newer data.",
    "Restore the data with `ship restore --to last`. A restore overwrites newer data.",
  ],
  [
    "Load the bundle with `kube apply -f ca.yaml`.",
    "Set the policy to Ignore first, or no pod starts.",
    "Load the bundle with `kube apply -f ca.yaml`. Set the policy to Ignore first, or no pod starts.",
  ],
])("adds what a source says beside a command: %s", (sentence, warning, text) => {
  expect(groundText(sentence, [{ id: "p", text }]).text).toBe(`${sentence} ${warning}`);
});

it.each([
  ["No container of billing was stopped.", ["denial"]],
  ["The quota of billing is not set in staging.", []],
])("a denial of something else is not one of this: %s", (sentence, expected) => {
  const passages = readPassages([
    {
      id: "record",
      text: "Container api of pod billing-1 was stopped (exit code 9), its quota is 3Gi, restarted 6 times; not run: `roll back billing`. Never remove the quota of billing in production: it is not set in staging.",
    },
  ]);
  expect(alignSentence(sentence, passages)).toEqual(expected);
});
