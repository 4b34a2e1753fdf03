import type { Finding } from '../../../finding.ts';

const oldest = { source: 14, target: 15 };
/** The versions that our tests run on, on either side. */
const tested = [15, 18];

/** Whether a server's version is supported, and whether our tests run on it. @param version its major number */
export function versionFinding(
  { version, versionName }: { version: number; versionName: string },
  side: keyof typeof oldest,
): Finding {
  const found = { type: 'VERSION', side } as const;
  if (version < oldest[side])
    return {
      ...found,
      result: 'fault',
      sentence: `The server is PostgreSQL ${versionName}; ${oldest[side]} is the oldest supported version.`,
    };
  if (tested.includes(version))
    return { ...found, result: 'passed', sentence: `The server is PostgreSQL ${versionName}.` };
  return {
    ...found,
    result: 'warning',
    sentence: `The server is PostgreSQL ${versionName}; our tests run on ${tested.join(' and ')}.`,
  };
}
