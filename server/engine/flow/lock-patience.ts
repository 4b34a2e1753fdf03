/** A lock of somebody else is waited for so often, before whoever waits gives up for a while. */
export const mostTries = 10;

/** Pause between two tries, in milliseconds. */
export const betweenTriesMs = 1_000;
