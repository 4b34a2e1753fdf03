/** A day in UTC as M/D/YYYY, with a word of that: moments beside it are in the browser's zone. @param iso YYYY-MM-DD, as bills name it */
export function Day({ iso }: { iso: string }) {
  const [year, month, day] = iso.split('-').map(Number);
  return (
    <time dateTime={iso}>
      {month}/{day}/{year} (UTC)
    </time>
  );
}
