import { describe, expect, it } from "vitest";
import { stem } from "./stem.js";

/** Words and stems of the vocabulary that the Snowball project publishes with its stemmer. */
const sample = `
    consign:consign consigned:consign consigning:consign consignment:consign consist:consist
    consisted:consist consistency:consist consistent:consist consistently:consist
    consisting:consist consists:consist consolation:consol conspiracy:conspiraci knack:knack
    knackeries:knackeri knavish:knavish kneaded:knead kneel:kneel knew:knew knightly:knight
    knitting:knit knobs:knob knocker:knocker knots:knot generally:general generously:generous
    general:general communication:communic relational:relat conditional:condit rationally:ration
    operator:oper feudalism:feudal decisiveness:decis hopefulness:hope callousness:callous
    formalities:formal sensitivities:sensit sensibilities:sensibl triplicate:triplic
    formative:format formalize:formal electrical:electr hopeful:hope goodness:good revival:reviv
    allowance:allow inference:infer airliner:airlin adjustable:adjust defensible:defens
    irritant:irrit replacement:replac adjustment:adjust dependent:depend adoption:adopt
    communism:communism activate:activ effective:effect probate:probat rate:rate
    controlling:control roll:roll hopping:hop tanned:tan falling:fall hissing:hiss fizzed:fizz
    failing:fail filing:file sized:size skies:sky dying:die news:news inning:inning
    proceed:proceed happy:happi sky:sky enjoyed:enjoy owned:own biting:bite cats:cat ties:tie
    cries:cri caresses:caress gas:gas this:this kiwis:kiwi luxuriated:luxuri plastered:plaster
    bled:bled motoring:motor configuring:configur configured:configur configuration:configur
    deployments:deploy retries:retri queries:queri labels:label geology:geolog apology:apolog
    yelling:yell by:by say:say
`
  .trim()
  .split(/\s+/)
  .map((pair) => pair.split(":"));

describe("stem", () => {
  it("gives the published stems", () => {
    const stems = sample.map(([word = ""]) => [word, stem(word)]);

    expect(stems).toEqual(sample);
  });

  it("leaves what is not an English word as it is", () => {
    expect(["k8s", "é", "", "2.26", "a_b"].map(stem)).toEqual(["k8s", "é", "", "2.26", "a_b"]);
  });
});
