import type { Content } from '../../content/content.ts';
import type { History } from './site-sources.ts';

/** In development, the faults of a page's own file as `line:column sentence`. */
export function faultsOf(file: string, content: Content, { showFaults }: History): { faults?: string[] } {
  if (!showFaults) return {};
  const found = content.faults.filter((fault) => fault.file === file && fault.rule !== 'broken-page');
  return found.length > 0 ? { faults: found.map(({ line, column, message }) => `${line}:${column} ${message}`) } : {};
}
