import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { dayMs, dayOf } from '../../client/contract/dates.ts';
import { printTable, runCommand, UsageError } from './open-console.ts';
import { drawCharts, type Views } from './page-view-chart.ts';

const usage = `npm run page-views -- [days] [chart.svg]   views of the last days (30) by day, page, source and keyword, and a chart of them`;

const row = z.object({ name: z.string(), views: z.number() }) satisfies z.ZodType<Views>;
const [days = '30', chart] = process.argv.slice(2);
const mostRows = 100;
/** How many bars fit into a chart of names. */
const mostBars = 20;

await runCommand(usage, async ({ database, now }) => {
  if (!/^\d{1,3}$/.test(days)) throw new UsageError(`“${days}” is not a number of days.`);
  const since = dayOf(now() - Number(days) * dayMs);
  const by = async (title: string, column: 'day' | 'uri' | 'src' | 'kw', order: string) => {
    const rows = await database.all(
      row,
      `SELECT ${column} AS name, count(*) AS views FROM page_view WHERE day >= $1 GROUP BY ${column} ORDER BY ${order}, ${column} LIMIT ${mostRows}`,
      [since],
    );
    return { title, rows: rows.map(({ name, views }) => ({ name: name || '(none)', views })) };
  };
  const byDay = await by('Days', 'day', 'name DESC');
  const byName = [
    await by('Pages', 'uri', 'views DESC'),
    await by('Sources', 'src', 'views DESC'),
    await by('Keywords', 'kw', 'views DESC'),
  ];
  for (const { title, rows } of [byDay, ...byName]) {
    console.log(`\n${title}`);
    printTable(rows);
  }
  if (chart === undefined) return;
  writeFileSync(
    chart,
    drawCharts([
      { ...byDay, rows: byDay.rows.toReversed() },
      ...byName.map(({ title, rows }) => ({ title, rows: rows.slice(0, mostBars) })),
    ]),
  );
  console.log(`\nWritten: ${chart}`);
});
