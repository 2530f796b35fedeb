/** Sentences with one of these report what another says. */
export const reported = [
  "according to",
  "in its|their|the|a ..3 report|survey|study|forecast|outlook",
  "@attributed that",
  "court|courts|tribunal|judge|authority|commission|council|ministry|regulator|bank|agency|registrar|inspector|surveyor|seller|buyer|builder|owner|developer|promoter|ombudsman|bureau|lender|government|residents|company ..2 @pronounced",
  "@institution ..3 forecast|forecasts|expects|expected|projects|projected|predicts|predicted|estimates|estimated|sees",
  "by|from the|an|a? ..2 @institution",
  "was|were|been @pronounced ..1 to|that|by",
];

/** Sentences with one of these state what a law or a contract lays down for everyone. */
export const underLaw = [
  "under the|this|its|their|that|a|an|state|federal|english|scottish|welsh|indian|central|local|current ..3 law|laws|act|acts|code|rules|regulations|scheme|ordinance|agreement|contract|lease",
  "under clause|section|article|rule|schedule|part|chapter|english|scottish|welsh|indian|state|federal|local|current",
  "in england|scotland|wales|india|texas|california|florida|london|ireland !is|belongs",
  "by law|statute|regulation !is|belongs",
];
