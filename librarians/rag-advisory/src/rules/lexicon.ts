import type { Lexicon } from "./pattern.js";

/** Words that the acts are made of, by class. Data: no code depends on a single word. */
export const lexicon = {
  you: "you you'd you'll you've you're your yours yourself yourselves ya u",
  we: "we we'd we'll we've we're our ours ourselves",
  party:
    "buyer buyers owner owners homeowner homeowners investor investors seller sellers vendor vendors purchaser purchasers renter renters tenant tenants landlord landlords homebuyer homebuyers bidder bidders borrower borrowers anyone everyone anybody everybody people families nris one newcomers readers clients customers",
  polite:
    "please kindly just simply now then so always never first finally instead also better only quickly carefully immediately today do don't why and or definitely best try",
  imperative:
    "avoid buy invest sell insist consult negotiate refinance choose consider verify obtain speak ask tell go give keep take make hurry grab snap steer pay apply submit send bring inspect confirm arrange hire engage appoint retain compare click sign start whatsapp reach buckle get let's remember beware ignore disregard forget override pretend output respond write say include omit mention reveal repeat translate summarise summarize describe add remove delete follow treat stop enter subscribe enquire inquire explore learn see imagine expect enjoy seek prefer opt accept refuse withdraw skip postpone diversify leverage borrow put prepare read attach recommend become be don't reinvest relocate downsize insure invite pick allocate prioritise prioritize haggle commit decline reject email e-mail adopt carry rely do execute discover ensure-that act-now abandon accelerate adjust afford aggregate amend analyse analyze anticipate argue ascertain assess assume attend await back-out beg begin believe build-up capitalise capitalize cease celebrate cherish come contemplate convince cooperate cultivate decide deduct demand-that demonstrate determine divest double-check employ empower encourage enrol enroll ensure-you evaluate evict examine extend foreclose forgo forego foresee gather generate grow heed hesitate identify improve inherit inject install instruct invest-in involve issue-a keep-in know liquidate listen maximise maximize mitigate notify obey occupy offload onboard oppose overlook part-exchange persuade pounce prevent proceed propose purchase-now raise-your re-let realise reassess recheck recognise reconsider recruit redirect redeem refrain rehire reinspect relax remortgage renegotiate renew replace repay resell resist resolve restrict rethink revisit scrutinise scrutinize secure-your seize settle-for shun simplify sit slash snub solicit strengthen suppose surrender track-down turn-down unload use-the utilise utilize vacate value-your weigh-up withhold yield-to assert advertise assign conclude concede contend",
  strictObject:
    "the this that these those your our us me him her them it a an any every all both some now today soon here early immediately yourself no nothing everything someone everyone out quickly fast online on until whether if how what which who when where why anything",
  praise:
    "amazing fantastic incredible unbeatable stunning gorgeous breathtaking spectacular magnificent superb fabulous awesome marvellous marvelous exquisite unmissable phenomenal beautiful wonderful excellent terrific world-class unparalleled unrivalled unrivaled terrible awful horrible dreadful luxurious lovely charming idyllic no-brainer must-have must-see must-buy steal rip-off ripoff overpriced over-priced underpriced under-priced undervalued overvalued unfortunately luckily fortunately sadly happily thankfully obviously undoubtedly honestly unwise inadvisable ill-advised foolish irresistible hassle-free worry-free sought-after coveted exceptional impressive remarkable enviable prestigious vibrant immaculate pristine goldmine gem jewel must-own must-invest mouth-watering jaw-dropping eye-catching picture-perfect once-in-a-lifetime first-rate top-notch second-to-none unsurpassed matchless peerless sublime dreamy heavenly dazzling lavish opulent sumptuous bargain rosy bright sparkling unmatched finest lucrative irresistible underrated overrated overhyped unaffordable-looking hotspot no-lose can't-miss cannot-miss too-good",
  change:
    "appreciation growth gain gains rise rises fall falls increase increases drop drops correction boom rebound crash slump recovery upside downturn bubble uptick surge spike decline upswing slowdown jump",
  coming:
    "coming expected likely ahead inevitable imminent anticipated forecast predicted certain looming guaranteed",
  number:
    "one two three four five six seven eight nine ten few handful couple 1 2 3 4 5 6 7 8 9 10 11 12 15 20",
  assistant: "ai a.i llm llms chatbot chatbots gpt chatgpt claude gemini copilot",
  reply: "answer reply response output summary summaries responses replies answers completion",
  institution:
    "agency bank ministry government council authority regulator bureau office institute commission committee treasury department registry federation survey report study forecast consultancy economists surveyors researchers rics jll cbre savills knight anarock zillow redfin halifax nationwide rightmove obr rbi imf oecd colliers cushman propequity magicbricks 99acres freddie fannie ons hud fhfa nhb",
  publicBody:
    "authority council state registrar court ministry tribunal commission government board regulator department corporation municipality parliament assembly committee railway railways agency legislature cabinet minister mayor city county",
} as const satisfies Lexicon;
