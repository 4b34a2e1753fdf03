import { queryOptions, type UseMutationOptions, useMutation, useQuery } from '@tanstack/react-query';
import { goToLogin } from '../account/return-to.ts';
import { CallError, call } from '../call.ts';
import type { Call } from '../contract/calls.ts';

/** What the server refused, in its own sentence, and at which fields. */
export class Refused extends Error {
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;

  constructor({ code, msg, fields = {} }: { code: string; msg: string; fields?: Record<string, string> }) {
    super(msg);
    this.code = code;
    this.fields = fields;
  }
}

/**
 * Asks the server; its answers come from the backend of this very site, whose contract names their type.
 * @throws Refused, or an Error with a sentence for a person
 */
export async function ask<Answer>(path: Call, body?: object): Promise<Answer> {
  try {
    const answer = await call(path, body);
    if (answer.success) return answer.data as Answer;
    throw new Refused(answer);
  } catch (error) {
    throw forPeople(error);
  }
}

/** What to show of a call that failed; whoever is signed out is led to the sign-in, and back. */
export function forPeople(error: unknown): Error {
  if (error instanceof CallError) {
    if (error.status === 401) goToLogin();
    if (error.refusal) return new Refused(error.refusal);
    return new Error(`The server answered with an error (${error.status}). Please try again.`, { cause: error });
  }
  if (error instanceof Error && !isTechnical(error)) return error;
  return new Error('The server did not answer. Please try again.', { cause: error });
}

/** What the browser says of a network that fails or takes too long. */
const isTechnical = (error: Error) => error instanceof TypeError || error instanceof DOMException;

/** Whether an account was refused because it has to be admitted to data jobs first. */
export function mayHaveNoJobs(error: Error | null): error is Refused {
  return error instanceof Refused && error.code === 'JOBS_NOT_ALLOWED';
}

/** What the server knows, kept under its path and body; nothing is asked while `enabled` is false. */
export function useCall<Answer>(path: Call, body?: object, enabled = true) {
  return useQuery(queryOptions({ queryKey: [path, body ?? null], queryFn: () => ask<Answer>(path, body), enabled }));
}

/** A call that changes something; `onSuccess` or `onSettled` says what is to be asked again. */
export function useChange<Answer, Body extends object>(
  path: Call,
  options?: Pick<UseMutationOptions<Answer, Error, Body>, 'onSuccess' | 'onSettled'>,
) {
  return useMutation<Answer, Error, Body>({ mutationFn: (body) => ask<Answer>(path, body), ...options });
}
