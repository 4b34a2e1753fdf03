const hidden = /^\s*#(?: |$)/;
const rawString = /\br(#*)"/g;

/** Rust without the lines that rustdoc and mdBook hide (`# use x;`), unless they are text in a raw string. */
export function shownRust(source: string): string {
  let end: string | undefined;
  const lines = source.split('\n').filter((line) => {
    const inside = end !== undefined;
    end = openString(line, end);
    return inside || !hidden.test(line);
  });
  return lines.map((line) => line.replace(/^(\s*)##/, '$1#')).join('\n');
}

/** What closes the raw string that is open at the end of a line. */
function openString(line: string, end: string | undefined): string | undefined {
  let open = end;
  for (let at = 0; at < line.length; ) {
    if (open !== undefined) {
      const close = line.indexOf(open, at);
      if (close < 0) return open;
      at = close + open.length;
      open = undefined;
    }
    rawString.lastIndex = at;
    const found = rawString.exec(line);
    if (!found) return undefined;
    open = `"${found[1]}`;
    at = rawString.lastIndex;
  }
  return open;
}
