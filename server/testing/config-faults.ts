import { ConfigError } from '../config/read-settings.ts';

/** The faults found when reading settings; none when they are readable. */
export function configFaults(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.faults : [String(error)];
  }
}
