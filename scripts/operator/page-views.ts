import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { printTable, runCommand } from './open-console.ts';

const usage = `npm run page-views -- [days] [chart.svg]   views by day, source and keyword of the last days (30), and a chart of the days`;

const row = z.object({ name: z.string(), views: z.number() });
const [days = '30', chart] = process.argv.slice(2);
const dayMs = 86_400_000;

/** Views by day as bars, in the site's colours. */
function drawChart(rows: readonly z.infer<typeof row>[]): string {
  const [bar, height, top] = [18, 200, 24];
  const most = Math.max(1, ...rows.map(({ views }) => views));
  const width = Math.max(320, rows.length * bar + 16);
  const bars = rows.map(({ name, views }, at) => {
    const tall = Math.round((views / most) * height);
    return `<rect x="${8 + at * bar}" y="${top + height - tall}" width="${bar - 4}" height="${tall}"><title>${name}: ${views}</title></rect>`;
  });
  const label = `<text x="8" y="16">At most ${most} views a day, ${rows[0]?.name ?? ''} to ${rows.at(-1)?.name ?? ''}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + top + 8}" font-family="system-ui" font-size="12" fill="#0f5fa8"><title>Page views by day</title>${label}${bars.join('')}</svg>\n`;
}

await runCommand(usage, async ({ database, now }) => {
  const since = new Date(now() - Number(days) * dayMs).toISOString().slice(0, 10);
  const by = (column: string, order: string) =>
    database.all(
      row,
      `SELECT ${column} AS name, count(*) AS views FROM page_view WHERE day >= $1 GROUP BY ${column} ORDER BY ${order} LIMIT 100`,
      [since],
    );
  const byDay = await by('day', 'name');
  for (const [title, rows] of [
    ['Days', byDay],
    ['Pages', await by('uri', 'views DESC')],
    ['Sources', await by('src', 'views DESC')],
    ['Keywords', await by('kw', 'views DESC')],
  ] as const) {
    console.log(`\n${title}`);
    printTable(rows.map(({ name, views }) => ({ name: name || '(none)', views })));
  }
  if (chart !== undefined) {
    writeFileSync(chart, drawChart(byDay));
    console.log(`\nWritten: ${chart}`);
  }
});
