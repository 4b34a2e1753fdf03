/** True for an address that somebody reads: those that end in `.example` stand in until the operator sets one. */
export const isReachable = (email: string) => !email.endsWith('.example');
