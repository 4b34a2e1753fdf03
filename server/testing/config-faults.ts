import { ConfigError } from '../config/read-settings.ts';

/** What reading settings tells; none where they can be read. */
export function configFaults(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.faults : [String(error)];
  }
}
