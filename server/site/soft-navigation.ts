import type { IncomingMessage } from 'node:http';
import { softNavigation } from '../../client/contract/soft-navigation.ts';

const header = softNavigation.name.toLowerCase();

/** Whether a page is asked for by the script of the one shown, and not by the browser itself. */
export function isSoft({ headers }: IncomingMessage): boolean {
  return headers[header] === softNavigation.value;
}
