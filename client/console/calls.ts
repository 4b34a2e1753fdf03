import {
  type UseMutationOptions,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { goToLogin } from '../account/return-to.ts';
import { CallError, call } from '../call.ts';
import type { Call } from '../contract/calls.ts';

/** A call that the server refused, with its own sentence and the fields at fault. */
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
 * Calls the server; the answers come from this site's own backend, whose contract defines their type.
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

/** The error to show for a failed call; a user who is signed out is sent to the sign-in page, and back. */
export function forPeople(error: unknown): Error {
  if (error instanceof CallError) {
    if (error.endsSession) goToLogin();
    if (error.refusal) return new Refused(error.refusal);
    return new Error(`The server answered with an error (${error.status}). Please try again.`, { cause: error });
  }
  if (error instanceof Error && !isTechnical(error)) return error;
  return new Error('The server did not answer. Please try again.', { cause: error });
}

/** The browser's own errors for a network that fails or is too slow. */
const isTechnical = (error: Error) => error instanceof TypeError || error instanceof DOMException;

/** Whether an account was refused because it must be admitted to data jobs first. */
export function mayHaveNoJobs(error: Error | null): error is Refused {
  return error instanceof Refused && error.code === 'JOBS_NOT_ALLOWED';
}

/** A call's answer, cached under its path and body. */
export function useCall<Answer>(
  path: Call,
  body?: object,
  options?: Pick<UseQueryOptions<Answer>, 'enabled' | 'refetchInterval'>,
): UseQueryResult<Answer> {
  return useQuery({ queryKey: [path, body ?? null], queryFn: () => ask<Answer>(path, body), ...options });
}

/** A call that changes something; `onSuccess` or `onSettled` says what to fetch again. */
export function useChange<Answer, Body extends object>(
  path: Call,
  options?: Pick<UseMutationOptions<Answer, Error, Body>, 'onSuccess' | 'onSettled'>,
) {
  return useMutation<Answer, Error, Body>({ mutationFn: (body) => ask<Answer>(path, body), ...options });
}
