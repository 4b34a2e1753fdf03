/** A lock of somebody else is waited for so often, before whoever waits gives up for a while. */
export const mostTries = 10;

/** Pause between two tries, in milliseconds. */
export const betweenTriesMs = 1_000;

/** Each try to alter a locked table of the target keeps the stream waiting, so the pauses grow from here on, in milliseconds. */
export const firstPauseMs = 10_000;
const longestPauseMs = 300_000;

/** The pause after one that was not long enough. */
export const longerPause = (ms: number) => Math.min(2 * ms, longestPauseMs);
