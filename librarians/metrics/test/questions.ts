/** Questions whose reads are in the recording of the shop. */
export const recordedQuestions = [
  "How is checkout?",
  "Is checkout slow?",
  "What is the error rate of checkout?",
  "What is the error rate of cart?",
  "How much memory does checkout use?",
  "How are the golden signals of checkout at 08:05?",
  "How is cart?",
  "How is storefront?",
  "How is catalog?",
  "How is payments?",
  "Which alerts fire?",
  "Does an alert fire for checkout?",
  "Which targets are down?",
  "`sum by (app) (rate(http_server_request_duration_seconds_count[5m]))`",
  "How is loyalty?",
] as const;
