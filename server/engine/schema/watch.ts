import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../errors.ts';
import { type Facts, factsOf, type TableFacts } from '../facts.ts';
import { carriedNames, carriesMore, type Route } from '../flow/route.ts';
import { markUpdate, type RunningJob, wantCopy } from '../flow/running-job.ts';
import { assertFollowable } from '../followable.ts';
import { rereadsLock } from '../handover/make-room.ts';
import { mayCopyAgain, withoutCopy } from '../handover/own-rows.ts';
import { rereadRows, rereadsOf } from '../handover/reread.ts';
import { afresh, startCopy, type TableProgress } from '../handover/table-progress.ts';
import { blockTable, copyAs } from '../handover/table-requests.ts';
import { type Column, tableName } from '../table.ts';
import { addColumns } from './add-columns.ts';
import { requireAltered } from './alter-target.ts';
import { decideSchema, type SchemaDecision } from './decide.ts';
import { addsEmptyColumns } from './empty-columns.ts';
import { followLabels } from './mend.ts';
import { tellNewTables } from './new-tables.ts';
import { followPartitions, hasNewParts } from './partitions.ts';
import { ofTable, type Pauses, pause } from './pauses.ts';
import { untilReached } from './reached.ts';
import { takeRecreatedTargets } from './recreated-targets.ts';
import { hasNewComputed, hasNewLabels, type Silent, silentChange, untoldCells } from './rewrites.ts';
import { type Seen, takeBack } from './take-back.ts';
import { routeNow } from './target-now.ts';

/** How often the catalogue is compared: not every change of a table is in the log. */
const everyMs = 10_000;

/** Compares the source's catalogue with what the job carries, until the job ends. */
export async function watchSchema(job: RunningJob): Promise<never> {
  const pauses: Pauses = new Map();
  for (;;) {
    job.schemaChanged = Promise.withResolvers();
    try {
      await compareCatalog(job, pauses);
      await letWrite(job);
    } catch (error) {
      // A table is being altered right now: it is checked once that is done.
      if (!(error instanceof EngineError) || error.code !== 'LOCK_TIMED_OUT') throw error;
    }
    await Promise.race([job.clock.wait(untilNextMs(job, pauses)), job.schemaChanged.promise]);
  }
}

/** A pause that ends sooner than the usual time is not waited for twice. */
function untilNextMs({ clock }: RunningJob, pauses: Pauses): number {
  const left = [...pauses.values()].map(({ until }) => until - clock.elapsed()).filter((ms) => ms > 0);
  return Math.min(everyMs, ...left);
}

/** Tables that the job leaves out may have lost their key since: their own application keeps writing them. */
async function letWrite({ spec, source, tables }: RunningJob): Promise<void> {
  const all = [...tables.values()];
  const carried = all.filter(({ isSkipped }) => !isSkipped);
  if (carried.length < all.length)
    await source.letWrite?.(
      spec.id,
      carried.map(({ route }) => route.source),
    );
}

interface Look extends Seen {
  /** Columns that rows had come without by then. */
  untold: ReadonlySet<string>;
  /** Columns that rows had come with by then, and that are not carried. */
  more: ReadonlySet<string>;
  /** New columns are NULL in all existing rows, on both sides. */
  areEmpty: boolean;
}

async function compareCatalog(job: RunningJob, pauses: Pauses): Promise<void> {
  await tellNewTables(job);
  await takeRecreatedTargets(job);
  const tables = [...job.tables.values()].filter((table) => !table.isSkipped || table.isAsked);
  if (tables.length === 0) return;
  const before = new Map(tables.map((table) => [table, { untold: table.untold, more: table.more }]));
  const catalog = await job.source.facts(
    job.spec.id,
    tables.map(({ route }) => route.source),
  );
  const end = await job.source.now();
  const byId = new Map(catalog.map((facts) => [facts.table.id, facts]));
  const byName = new Map(catalog.map((facts) => [tableName(facts.table), facts]));
  const looks = tables.map((table): Look => {
    const now = byId.get(table.id);
    const named = byName.get(tableName(table.route.source));
    const successor = named === now ? undefined : named;
    return { table, now, successor, untold: new Set(), more: new Set(), ...before.get(table), areEmpty: false };
  });
  const asked = looks.filter(({ table }) => table.isAsked);
  for (const look of asked) await takeBack(job, look, pauses);
  const isDue = (table: TableProgress) => !table.isSkipped && job.clock.elapsed() >= (pauses.get(table)?.until ?? 0);
  // For tables that were resumed, these results are out of date.
  const changed = looks.filter(
    (look) => !asked.includes(look) && isDue(look.table) && hasChanged(job, look.table, look.now),
  );
  if (changed.length === 0) return;
  // Rows from before the change are still on their way.
  await untilReached(
    job,
    end,
    changed.map(({ table }) => table).filter(({ isHeld }) => isHeld),
  );
  const unaltered = await withoutAltered(job, changed);
  if (unaltered.length < changed.length) job.schemaChanged.resolve();
  const ready: Look[] = [];
  for (const look of unaltered) if (await looksAtTarget(job, look, pauses)) ready.push(look);
  for (const look of ready)
    job.requests.push(async () => {
      try {
        await adopt(job, look);
        pauses.delete(look.table);
      } catch (error) {
        const own = ofTable(look.table, error);
        if (!own || job.spec.ddl === 'stop') throw error;
        if (own.retry === 'timed') pause(job, look.table, own, pauses);
        else await blockTable(job, look.table, own);
      }
    });
}

/**
 * Leaves held tables that were altered since to the next look: the log may have taken hours to reach this one, and their
 * copies would read what they are now.
 */
async function withoutAltered(job: RunningJob, looks: readonly Look[]): Promise<readonly Look[]> {
  const held = looks.filter(({ table }) => table.isHeld);
  if (held.length === 0) return looks;
  const catalog = await job.source.facts(
    job.spec.id,
    held.map(({ table }) => table.route.source),
  );
  const byId = new Map(catalog.map((facts) => [facts.table.id, facts]));
  return looks.filter(({ table, now }) => !table.isHeld || isDeepStrictEqual(byId.get(table.id), now));
}

/**
 * Later rows come with the new columns, whatever default those have at the target.
 * @returns whether the change can be adopted; if the target table is locked, only that table waits
 */
async function looksAtTarget(job: RunningJob, look: Look, pauses: Pauses): Promise<boolean> {
  try {
    look.areEmpty = await addsEmptyColumns(job, look.table, look.now);
    return true;
  } catch (error) {
    const own = ofTable(look.table, error);
    if (!own) throw error;
    if (own.retry !== 'timed') return true;
    pause(job, look.table, own, pauses);
    return false;
  }
}

function hasChanged(job: RunningJob, table: TableProgress, now: TableFacts | undefined): boolean {
  const { facts, untold, more } = table;
  if (hasLater(job, table)) return true;
  if (!now || now.notTold !== null || untold.size + more.size > 0 || !isDeepStrictEqual(facts, factsOf(now)))
    return true;
  return decideSchema(table, now, job.spec.ddl) !== undefined;
}

/** Runs between two transactions: the table gets its new shape, or waits for an operator. */
async function adopt(job: RunningJob, look: Look): Promise<void> {
  const { table, now, successor, untold, areEmpty } = look;
  if (table.isSkipped) return;
  const place = { side: 'source', table: tableName(table.route.source) } as const;
  const wait = (subject: string) => blockTable(job, table, new EngineError('TABLE_CHANGED', { ...place, subject }));
  const taken = 'another table now has its name';
  if (!now) return await (successor ? wait(taken) : blockTable(job, table, new EngineError('TABLE_MISSING', place)));
  if (now.notTold !== null) return await wait(now.notTold);
  const decision = decideSchema(table, now, job.spec.ddl);
  if (decision?.kind === 'stop') throw new EngineError('STOPPED_AT_CHANGE', { ...place, subject: decision.why });
  if (successor) return await wait(taken);
  const silent = unseenChange(table, now) ?? untoldCells(untold, now);
  const mayCopy = mayCopyAgain(job.spec, table.mark);
  const why = whyToWait(mayCopy, decision, silent, areEmpty);
  if (why !== undefined) return await wait(why);
  assertFollowable(now.table);
  if (decision?.kind === 'follow' && mayCopy) return await follow(job, table, now, decision.widened);
  await goOn(job, { ...look, now }, decision, silent);
}

/** The table continues with what the catalogue says, or is copied again for what its log does not show. */
async function goOn(
  job: RunningJob,
  look: Look & { now: TableFacts },
  decision: SchemaDecision | undefined,
  silent: Silent | undefined,
): Promise<void> {
  const { table, now, untold, more } = look;
  if (table.facts) await followAdditions(job, table, table.facts, now);
  if (!silent) table.forgetUntold(untold);
  if (decision?.kind === 'follow') await goOnWider(job, look, decision);
  else {
    table.forgetMore(more);
    if (decision?.kind === 'go-on') await carryOn(job, table, now, decision.isRemade);
    else if (!silent) await remember(job, table, factsOf(now));
  }
  if (!silent) return await readLater(job, table);
  // If it was recreated, its key may be compared differently.
  await copyAgain(job, table, now);
  job.observer.event(
    'warning',
    `At the source, ${silent.why}, which its log does not show: the table is copied again.`,
    table,
  );
}

/** Why an operator decides about a table; undefined if it continues, or is copied again. */
function whyToWait(
  mayCopy: boolean,
  decision: SchemaDecision | undefined,
  silent: Silent | undefined,
  areEmpty: boolean,
) {
  if (decision?.kind === 'wait') return decision.why;
  if (mayCopy) return decision?.kind !== 'follow' && silent?.kind === 'wait' ? silent.why : undefined;
  if (silent?.kind === 'wait') return silent.why;
  const lacking = silent?.why ?? (areEmpty ? undefined : lackingCells(decision));
  return lacking && withoutCopy(lacking);
}

/** What a change gave to rows without delivering them. */
function lackingCells(decision: SchemaDecision | undefined): string | undefined {
  if (decision?.kind === 'follow' && decision.added[0]) return `column ${decision.added[0].name} was added`;
  return decision?.kind === 'go-on' && decision.isRemade ? 'a column was dropped and recreated' : undefined;
}

/** Gives the target what it will need, before a row needs it. */
async function followAdditions(job: RunningJob, table: TableProgress, before: Facts, now: TableFacts): Promise<void> {
  if (hasNewLabels(before, now)) await followLabels(job);
  if (hasNewParts(before, now)) await followPartitions(job, table);
  // The target computes their values, so no row is copied.
  if (job.spec.ddl === 'safe' && hasNewComputed(before, now) && (await addColumns(job, table, now.table)))
    job.observer.event(
      'info',
      'Columns that the source computes were added at the target, which computes them too.',
      table,
    );
}

/** Stores facts that concern neither rows nor carried columns; a table that waited for them is copied from now on. */
async function remember(job: RunningJob, table: TableProgress, facts: Facts): Promise<void> {
  const { isHeld } = table;
  await job.locks.with([table.id], async () => {
    if (isHeld) startCopy(job, table);
    table.facts = facts;
    await job.sink.write(markUpdate(job, { tables: new Map([[table.id, table.mark]]) }));
  });
  if (isHeld) wantCopy(job);
}

/** If a table was altered between two checks as its job began, nothing shows what else happened to it. */
function unseenChange(table: TableProgress, now: TableFacts): Silent | undefined {
  if (table.facts) return silentChange(table.facts, now, table);
  if (table.isHeld) return undefined;
  return { kind: 'resync', why: 'the table was altered while its job was starting' };
}

/**
 * The table continues with the columns that both sides have. If one of them was not carried, or is another one under
 * its name, its rows are copied again, if the job may do that.
 */
async function carryOn(job: RunningJob, table: TableProgress, now: TableFacts, isRemade: boolean): Promise<void> {
  await requireAltered(job, table, now.table, []);
  const route = await routeNow(job, table, now.table);
  const isMore = isRemade || carriesMore(carriedNames(table.route), route);
  const isCopiedAgain = isMore && mayCopyAgain(job.spec, table.mark);
  const shape = { route, facts: factsOf(now) };
  if (isCopiedAgain) await job.locks.with([table.id], () => copyAs(job, table, shape));
  else await goOnAs(job, table, shape);
  const then = isCopiedAgain ? 'the table is copied again' : 'they are replicated from now on';
  const sentence = isMore
    ? `The table was changed at the source, and the target has columns that are new there: ${then}.`
    : 'The table was changed at the source; the target keeps its columns.';
  job.observer.event('warning', sentence, table);
}

/**
 * The change gives no row of the table another value: columns have wider types, or new ones are NULL everywhere. The
 * target gets them and the table continues. Rows that meanwhile came with the new ones are reread.
 */
async function goOnWider(
  job: RunningJob,
  { table, now, more }: Look & { now: TableFacts },
  { added, widened }: Extract<SchemaDecision, { kind: 'follow' }>,
): Promise<void> {
  await requireAltered(job, table, now.table, widened);
  if (added.length > 0) await addColumns(job, table, now.table);
  const route = await routeNow(job, table, now.table);
  await goOnAs(job, table, { route, facts: factsOf(now) });
  table.forgetMore(new Set([...more, ...carriedNames(route)]));
  // At once: a later process would find the columns at the target, and not know whose values they have.
  if (added.length > 0) await remember(job, table, factsOf(now));
  const what =
    added.length > 0
      ? 'Columns were added at the target, empty as at the source.'
      : 'Columns were widened at the target.';
  const parked = table.parked.size > 0 ? ' Rows that it refused before are still parked: retry them.' : '';
  job.observer.event('info', `${what}${parked}`, table);
}

/** Rereads rows that came with columns that are carried now; if the table is locked, a later check tries again. */
async function readLater(job: RunningJob, table: TableProgress): Promise<void> {
  if (!hasLater(job, table)) return;
  await job.locks.with([table.id, rereadsLock], () => rereadRows(job, laterOf(job, table), 1));
}

const laterOf = (job: RunningJob, table: TableProgress) => rereadsOf(job, table).filter(({ isLater }) => isLater);

/** Whether rows of a table can be reread that waited for their columns. */
function hasLater(job: RunningJob, table: TableProgress): boolean {
  return table.more.size === 0 && !table.isSkipped && !table.isCopied && laterOf(job, table).length > 0;
}

/** Another shape of the table for later rows; a copy in progress starts over. */
async function goOnAs(job: RunningJob, table: TableProgress, shape: { route: Route; facts: Facts }): Promise<void> {
  await job.locks.with([table.id], async () => {
    if (table.isCopied) return await copyAs(job, table, { ...shape, mark: afresh(table.mark) });
    table.route = shape.route;
    table.facts = shape.facts;
  });
}

/** The target gets the new columns and types, and existing rows are copied again. */
async function follow(
  job: RunningJob,
  table: TableProgress,
  now: TableFacts,
  widened: readonly Column[],
): Promise<void> {
  await requireAltered(job, table, now.table, widened);
  await addColumns(job, table, now.table);
  await copyAgain(job, table, now);
  job.observer.event(
    'info',
    widened.length > 0
      ? 'Columns were widened at the target; the table is copied again.'
      : 'Columns were added at the target; the table is copied again.',
    table,
  );
}

/** The table in its current shape, from its first row. */
async function copyAgain(job: RunningJob, table: TableProgress, now: TableFacts): Promise<void> {
  const route = await routeNow(job, table, now.table);
  await job.locks.with([table.id], () => copyAs(job, table, { route, facts: factsOf(now) }));
}
