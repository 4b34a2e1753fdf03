/** A day as M/D/YYYY. @param iso YYYY-MM-DD, as bills name it (UTC) */
export function Day({ iso }: { iso: string }) {
  const [year, month, day] = iso.split('-').map(Number);
  return (
    <time dateTime={iso}>
      {month}/{day}/{year}
    </time>
  );
}
