export {
  type FoldScore,
  fitIntents,
  type IntentExample,
  type IntentFitOptions,
  scoreFolds,
} from "./intent/fit-intents.js";
export { type FitExample, type FitOptions, fitLinearModel } from "./model/fit-linear-model.js";
