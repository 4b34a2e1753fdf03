/** A day as M/D/YYYY, marked as UTC: moments beside it are in the browser's zone. @param iso YYYY-MM-DD, as in bills */
export function Day({ iso }: { iso: string }) {
  const [year, month, day] = iso.split('-').map(Number);
  return (
    <time dateTime={iso}>
      {month}/{day}/{year} (UTC)
    </time>
  );
}
