/**
 * Remaining time in milliseconds above which a reply is streamed even without a listener: the `fetch`
 * of Node.js gives up on a response that has not begun after 5 minutes.
 */
export const longCallMs = 240_000;
