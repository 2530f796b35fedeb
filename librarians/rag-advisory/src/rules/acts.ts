import type { ActRule } from "./act-rule.js";

/**
 * What no sentence of an advisory may do, in words that explain it. Only patterns that matter beside the fitted
 * classifier: those that catch sentences which it misses, and those that find orders to a model.
 */
export const acts: readonly ActRule[] = [
  {
    act: "assistant",
    rule: "action",
    patterns: [
      "@assistant !chip|chips|firm|firms|company|companies|plant|data|hub|startup|startups|sector|jobs|research|park|campus|cluster|boom|industry|investment|spending",
      "replaces|overrides|supersedes|overrule|overrules ..3 guidance|instructions|rules|guidelines|prompt|policy|context|message|messages",
      "summariser|summarizer|summarisers|summarizers|parser|retriever|jailbreak",
      "whoever|anyone|any|the|note ..1 tool|system|model|program|software|machine|agent reading|processing|summarising|summarizing|that|must|should",
      "note|message|instruction|instructions|attention|warning|important to|for ..2 model|models|assistant|assistants|reader|system|tool|tools|ai|agent|agents",
      "confidence|risk|flag|advisory_flag|score|rating|severity to|= ..2 high|low|0.99|1|100|none|max|maximum|zero",
      "the following|this|above|below sentence|text|instruction|instructions|message|prompt ..2 verbatim|override|overrides|supersedes|replaces|takes",
      "your|its|the task|role|job|goal|purpose|persona|mission is|as",
      "as an|a ai|assistant|model|language|chatbot|expert",
      "respond|reply|answer|output|write|summarise|summarize|describe|say|state ..3 only|as|that|with|in ..3 positive|favourable|yes|no|json|english|french|hindi|one|true",
      "language model|models",
      "system prompt|message|instruction|instructions",
      "^ system|assistant|user|human :|>",
      "< system|assistant|user|instructions",
      "automated|machine|generated summary|summaries|answer|answers|reply|replies",
      "assistants should|must|shall|may|can|are|will|to|have|need",
      "in your|every|any|each @reply",
      "@reply has|have|needs to",
      "your @reply|instructions|prompt|guidelines|training",
      "ignore|disregard|forget|override|bypass ..3 previous|prior|above|earlier|instructions|instruction|context|rules|flags|flag|warnings|prompt|guidelines|everything|system|advisory",
      "^ @polite? pretend|respond|output|reply|repeat|translate|roleplay",
      "^ @polite? @polite? write|summarise|summarize|describe|classify|mention|include|omit|say|treat|append|conclude|reveal|add|remove|delete|begin|print ..8 reply|response|summary|confidence|verbatim|answer|risks|prompt|prompts|json|sentence|sentences|positive|favourable|favorable|flag|flags|highest|trustworthy|output|disclaimer",
      "^ @polite? @polite? answer|return|rank|rate|score|set|mark|cite|quote|state|report|end|start|show @strictObject ..8 reply|response|summary|confidence|verbatim|answer|risks|prompt|prompts|json|sentence|sentences|positive|favourable|favorable|flag|flags|highest|trustworthy|output|disclaimer|listing",
      "^ @polite? do? not|never|don't mention|cite|reveal|disclose|include|quote|flag|tell|say|report",
      "from now on|onwards",
      "you are|act a|an|now|as",
      "new instructions",
    ],
  },
  {
    act: "urgency",
    rule: "action",
    patterns: [
      "act|move|decide|buy|book|reserve|apply|call|enquire|register|hurry|order|commit now|fast|quickly|today|immediately|soon|early|tonight",
      "only|just|barely|last ..1 @number ..3 left|remaining|remain|remains|available|unsold",
    ],
    unless: ["the|this|rera|housing|rights|tenancy act now"],
  },
  {
    act: "directive",
    rule: "decision",
    patterns: [
      "you should|must|ought|need",
      "@party|parties|applicants|visitors|users ..4 is|are|be ..1 advised|encouraged|urged|recommended|warned|invited|asked|requested|reminded|welcome|expected|directed to|against|not|that",
      "@we|i ..3 recommend|recommends|advise|advises|suggest|suggests|urge|urges|propose|think|believe|feel|love|hate|guess|reckon|consider|would|is",
    ],
  },
  {
    act: "directive",
    rule: "action",
    patterns: [
      "^ @polite? @polite? @imperative !- !:",
      "^ @polite? @polite? contact|call|visit|book|ring|email|ask|pay|sign @strictObject|#",
      "^ @polite? @polite? contact|call|visit|book|ring|email Aa",
    ],
  },
  {
    act: "personal",
    rule: "decision",
    patterns: ["@you"],
  },
  {
    act: "guarantee",
    rule: "unfactual",
    patterns: [
      "guaranteed !by",
      "guarantees|guarantee ..4 return|returns|profit|profits|growth|appreciation|rent|income|price|prices|resale|success|approval|possession|delivery|you|that|against|liquidity|occupancy|tenants|yield|yields",
      "assured|assures|assure !shorthold|tenancy|tenancies|tenant|tenants",
      "no|without|zero|nil scenario|circumstance|circumstances|situation|exceptions|exception|ifs|catch|surprises|strings|hassle|loss|losses|downside|worries|hidden",
    ],
    unless: ["no|without ..1 evidence"],
  },
  {
    act: "prediction",
    rule: "unfactual",
    patterns: ["@coming ..3 @change"],
    unless: [
      "according to",
      "in its|their|the|a ..3 report|survey|study|forecast|outlook",
      "@institution ..3 forecast|forecasts|expects|expected|projects|projected|predicts|predicted|estimates|estimated|sees",
      "forecast|forecasts|projection|projections|estimate ..8 was|were|missed|proved",
    ],
  },
  {
    act: "legal",
    rule: "decision",
    patterns: [
      "notice|contract|agreement|clause|lease|deed|will|sale|covenant|transfer|tenancy|eviction|registration|claim|act|conveyance|layout|construction|deal|transaction|arrangement|fee|charge|increase|condition|term ..6 is|are|be|would|isn't not? ..1 valid|legal|lawful|unlawful|illegal|void|legitimate|unfair !until|through|from|till|owner|owners|title",
      "has|have|having no ..1 right|rights|claim|case|liability|obligation|standing|title|defence|defense|remedy|choice|legal",
      "has|have|holds|hold a? clear|good|clean|full|absolute|undisputed|valid|perfect|strong ..1 title|ownership|possession|rights|right|claim|case",
      "breach|breached|breaks|break|broke|violated|infringed|contravened|flouts|flouted|defies ..2 the|a|any|this|its|their|section ..2 law|act|agreement|contract|lease|rules|terms|clause|covenant|rights|code|regulations|duty",
    ],
    unless: ["@publicBody ..1 may|can|must|shall|cannot"],
  },
  {
    act: "praise",
    rule: "unfactual",
    patterns: ["@praise"],
    unless: ['" ..4 " label|tag|tagline|slogan|claim|description|phrase|heading'],
  },
  {
    act: "prediction",
    rule: "unfactual",
    patterns: [
      "spells|spell|signals|portends|augurs|bodes|promises|heralds|foreshadows ..3",
      "will|won't|'ll|shall never|always|only|easily|surely|certainly|undoubtedly|definitely|inevitably|comfortably|eventually|continue|become|keep|remain|transform|reshape|unlock|unleash|change|cost|pay|reward|benefit|profit|regret|struggle|thrive|flourish|suffer|follow|gain|lose|beat|top|hit|reach|cross|touch|surpass|pass|approach|near|attract|draw|command|fetch|yield|return|earn|generate|deliver|bring|make|drive|push|fuel|feel|look|seem|prove|help|hurt|matter|suit|last|need|want|come|go|get|stay|hold|dry|evaporate|happen",
    ],
  },
  {
    act: "decision",
    rule: "unfactual",
    patterns: [
      "offers|offer|represents|represent|provides|gives|is|are ..2 better|best|great|good|excellent|real|poor|superb|outstanding|unrivalled|exceptional|fantastic ..1 value|return|returns|quality|deal|money|bang",
      "good|great|fair|bad deal|price|bargain|buy !of",
    ],
  },
  {
    act: "legal",
    rule: "decision",
    patterns: [
      "passes|pass|confers|confer|conveys|convey|vests|vest|proves|prove|establishes|establish|extinguishes|extinguish|defeats|defeat|creates|create|carries|transfers ..2 title|ownership|right|rights|interest|claim|entitlement|liability",
      "the|this|that|his|her|their ..2 has|have|had|retains|keeps|enjoys no|a|an|the|full|equal ..1 share|interest|stake|say|title|entitlement|remedy|recourse|claim|defence|lien|charge-on",
      "is|are|was|were|remains ..2 compliant|non-compliant|noncompliant|unlawful|lawful|watertight|airtight|ironclad|iron-clad|defective|worthless|toothless|bogus|sham|unimpeachable|unassailable|incontestable|indefeasible|inalienable|good-in-law",
      "has|have ..2 broken|breached|violated|flouted|infringed|contravened|defaulted|defrauded|cheated|misled|misrepresented|trespassed|encroached|committed",
    ],
  },
];
