/**
 * The address as the driver takes it. It reads `prefer`, `require` and `verify-ca` as `verify-full`, and warns about
 * each of them on standard error, since its next version will not.
 * @param databaseUrl as in `DATABASE_URL`
 */
export function driverUrl(databaseUrl: string): string {
  if (/[?&]uselibpqcompat=/.test(databaseUrl)) return databaseUrl;
  return databaseUrl.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, '$1verify-full');
}
