/** Job sizes that clients choose by number; process memory in MB. */
export const sizes: readonly { id: number; memoryMb: number }[] = [
  { id: 19, memoryMb: 512 },
  ...[1, 2, 3, 4].map((gigabytes, index) => ({ id: 15 + index, memoryMb: gigabytes * 1024 })),
  ...[5, 6, 7, 8, 12, 16, 20].map((gigabytes, index) => ({ id: 20 + index, memoryMb: gigabytes * 1024 })),
];

/** For a job that names no size. */
export const defaultMemoryMb = 256;

/** Memory of a job's process in MB; an unknown size gets the default. */
export function memoryOf(specId: number): number {
  return sizes.find(({ id }) => id === specId)?.memoryMb ?? defaultMemoryMb;
}
