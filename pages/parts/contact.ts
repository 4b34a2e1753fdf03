/** True for an address that someone reads: those that end in `.example` are placeholders until the operator sets one. */
export const isReachable = (email: string) => !email.endsWith('.example');
