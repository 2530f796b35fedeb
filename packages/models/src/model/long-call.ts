/**
 * Above this much remaining time a reply is streamed, in milliseconds, even where no listener needs its
 * pieces: the `fetch` of Node.js gives up on a response that has not begun after 5 minutes.
 */
export const longCallMs = 240_000;
