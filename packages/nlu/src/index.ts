export { asksForFacts } from "./asks-for-facts.js";
export { withoutDeniedOrders } from "./denied-orders.js";
export { editDistance } from "./entities/edit-distance.js";
export type { EntityCandidate, EntityMention, MatchKind, NamedEntity } from "./entities/entity.js";
export {
  createEntityIndex,
  type EntityIndex,
  type EntityIndexOptions,
} from "./entities/entity-index.js";
export { kindOfKinds } from "./entities/link-entities.js";
export { completeFollowUp, type FollowUp, type Turn } from "./follow-up.js";
export { findOrder, findOrders, type Orderable, type PlainOrder } from "./grammar/find-orders.js";
export {
  isAuxiliary,
  isFunctionWord,
  isOpenQuestionWord,
  isTellingVerb,
} from "./grammar/function-words.js";
export { findNameWords } from "./grammar/name-words.js";
export { alignSentence, type Misalignment } from "./grounding/align-sentence.js";
export { type Passage, type ReadPassage, readPassages } from "./grounding/ground.js";
export {
  type GroundedText,
  type GroundOptions,
  groundText,
  type Ungrounded,
} from "./grounding/ground-text.js";
export { toEnglishUnit, type Unit } from "./grounding/units.js";
export {
  createIntentReader,
  type IntentModelData,
  type IntentReader,
  type IntentReading,
  type QuestionVector,
} from "./intent/intent-model.js";
export {
  createLinearModel,
  type Feature,
  type LinearModel,
  type LinearModelData,
  type Prediction,
} from "./model/linear-model.js";
export { type TextFeatureOptions, toTextFeatures } from "./model/text-features.js";
export { findNames, type ReadQuestionOptions, readQuestion } from "./read-question.js";
export {
  type Act,
  acts,
  type Clause,
  type Negation,
  type Reading,
} from "./reading.js";
export { numberWords } from "./spans/number-words.js";
export type { Span, SpanKind } from "./spans/span.js";
export { isCommonWord } from "./text/common-words.js";
export { type ContentWord, type ContentWordOptions, readContentWords } from "./text/near-words.js";
export { createPhrases, type Phrases } from "./text/phrases.js";
export { rememberRecent } from "./text/remember.js";
export type { TextRange } from "./text/tokens.js";
export { type Cover, createWordCover, type WordCover } from "./text/word-cover.js";
export { toWordVector } from "./text/word-vectors.js";
