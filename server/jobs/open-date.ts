/** A moment in the open API's format: `2021-05-27T13:15:43.000+0000`. */
export function openDate(moment: number): string {
  return new Date(moment).toISOString().replace('Z', '+0000');
}
