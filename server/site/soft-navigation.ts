import type { IncomingMessage } from 'node:http';
import { softNavigation } from '../../client/contract/soft-navigation.ts';

const header = softNavigation.name.toLowerCase();

/** Whether the current page's script requests a page, and not the browser itself. */
export function isSoft({ headers }: IncomingMessage): boolean {
  return headers[header] === softNavigation.value;
}
