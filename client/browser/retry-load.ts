interface Again {
  /** Ends the error text. */
  hint: string;
  retry: () => void;
}

/**
 * How a part whose files did not load can be retried. Files that are gone, as after an update of the site, have other
 * names now, which only another page load finds.
 * @param keep runs before that
 */
export function retryLoad(error: unknown, again: () => void, keep?: () => void): Again {
  const isGone = error instanceof Error && error.cause === 404;
  return isGone
    ? {
        hint: ' The site has been updated: Retry loads the page again.',
        retry: () => {
          keep?.();
          location.reload();
        },
      }
    : { hint: '', retry: again };
}
