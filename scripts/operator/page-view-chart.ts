/** Views of one day, page, source or keyword. */
export interface Views {
  name: string;
  views: number;
}

const [width, left, right] = [720, 220, 60];
const [rowHeight, barHeight, headHeight] = [18, 12, 36];

/** Horizontal bars, one chart below the other, in the site's colours; names are untrusted text from visitors. */
export function drawCharts(charts: readonly { title: string; rows: readonly Views[] }[]): string {
  const parts: string[] = [];
  let top = 0;
  for (const { title, rows } of charts) {
    parts.push(
      `<text x="8" y="${top + 24}" font-size="15" font-weight="600" fill="#1c2430">${escapeXml(title)}</text>`,
    );
    top += headHeight;
    const most = Math.max(1, ...rows.map(({ views }) => views));
    for (const { name, views } of rows) {
      const long = Math.max(1, Math.round((views / most) * (width - left - right)));
      const middle = top + rowHeight / 2 + 4;
      parts.push(
        `<text x="${left - 8}" y="${middle}" text-anchor="end" fill="#1c2430">${escapeXml(shortened(name))}</text>`,
        `<rect x="${left}" y="${top + (rowHeight - barHeight) / 2}" width="${long}" height="${barHeight}" fill="#0f5fa8"/>`,
        `<text x="${left + long + 6}" y="${middle}" fill="#5b6675">${views}</text>`,
      );
      top += rowHeight;
    }
  }
  const size = `width="${width}" height="${top + 8}" viewBox="0 0 ${width} ${top + 8}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="system-ui, sans-serif" font-size="12"><title>Page views</title><rect width="100%" height="100%" fill="#fbf9f4"/>${parts.join('')}</svg>\n`;
}

const longest = 32;

function shortened(name: string): string {
  const letters = [...name];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : name;
}

/** Also replaces the characters that XML does not allow. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
