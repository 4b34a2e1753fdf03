import { EngineError, type EngineErrorCode, ofNoSide } from './errors.ts';
import { faultOf } from './fault.ts';
import type { Finding } from './finding.ts';
import type { JobSpec } from './job.ts';
import { withNamesakes } from './namesakes.ts';
import { planStructure } from './phases/structure.ts';
import { type Question, questionSchema } from './protocol.ts';
import { findLoop } from './replication-loop.ts';
import { filtersOf, makeRoutes, selectTables, targetsOf, targetTables, wantedTables } from './selected-tables.ts';
import type { Sink } from './sink.ts';
import type { Source } from './source.ts';
import { loadSystem, openSides } from './systems/systems.ts';
import { tableName } from './table.ts';

/** A process that answers one question about a customer's database and exits. */

process.once('message', async (message) => {
  const answer = await answerTo(message).then(
    (data) => ({ ok: true, data }),
    (error: unknown) => ({ ok: false, fault: faultOf(error) }),
  );
  process.send?.(answer, () => process.exit(0));
});
process.on('disconnect', () => process.exit(0));

async function answerTo(message: unknown): Promise<unknown> {
  const question = questionSchema.safeParse(message);
  if (!question.success) throw new EngineError('UNEXPECTED', { subject: 'question' });
  return await ask(question.data);
}

async function ask(question: Question): Promise<unknown> {
  const { signal } = new AbortController();
  switch (question.kind) {
    case 'test':
      return await askAlone((await loadSystem(question.side.family)).test(question.side.settings));
    case 'databases':
      return await askAlone((await loadSystem(question.side.family)).databases(question.side.settings));
    case 'catalog': {
      const source = (await loadSystem(question.side.family)).openSource(question.side.settings, signal);
      return await source.catalog(question.schemas, true).finally(() => source.close());
    }
    case 'parked': {
      const { job, table, after, limit } = question;
      const sink = (await loadSystem(question.side.family)).openSink(question.side.settings, signal);
      return await sink.parked(job, table, after, limit).finally(() => sink.close());
    }
    case 'check':
      return await withSides(question.spec, checkJob);
    case 'plan':
      return await withSides(question.spec, (source, sink) => planStructure(source, sink, question.spec));
    case 'release':
      return await withSides(question.spec, async (source, sink) => {
        // One of the two may be gone for good; nothing is left on the other.
        try {
          await source.release(question.spec.id);
        } finally {
          await sink.forget(question.spec.id);
        }
      });
  }
}

/** A question about one data source on its own. */
async function askAlone<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof EngineError ? ofNoSide(error) : error;
  }
}

async function withSides<Answer>(
  spec: JobSpec,
  work: (source: Source, sink: Sink, spec: JobSpec) => Promise<Answer>,
): Promise<Answer> {
  const { signal } = new AbortController();
  const { source, sink } = await openSides(spec, signal);
  try {
    return await work(source, sink, spec);
  } finally {
    await Promise.all([source.close(), sink.close()]);
  }
}

/** What both sides report, and which tables cannot take part. */
async function checkJob(source: Source, sink: Sink, spec: JobSpec): Promise<Finding[]> {
  const { selected, refused } = await selectTables(source, spec);
  const have = await targetTables(sink, spec);
  // Tables that the job creates itself are not missing.
  const wanted = wantedTables(selected);
  const lacking = wanted.filter((table) => !have.some((other) => tableName(other) === tableName(table)));
  const namesakes = await sink.namesakes(lacking);
  const missing = spec.structure ? lacking.filter((table) => !namesakes.has(tableName(table))) : [];
  const taken = await sink.taken(spec.id, targetsOf(spec));
  const made = makeRoutes(spec, selected, [...have, ...missing], { taken });
  const all = await withNamesakes({ source, sink }, [...refused, ...made.refused]);
  const refusals = all.map(({ selection, error }) => findingOf(error, tableName(selection)));
  const sourceFindings = await source.check(
    selected.map((table) => table.source),
    { filters: filtersOf(selected), follows: spec.type === 'SYNC', structure: spec.structure },
  );
  const targetFindings = await sink.check(
    wanted.filter((table) => have.some((other) => tableName(other) === tableName(table))),
    missing,
  );
  const loop = await findLoop(spec, source, sink);
  return [...tellOnce(sourceFindings, refusals), ...targetFindings, ...(loop ? [findingOf(loop)] : [])];
}

/** A cause that both report becomes one fault: the source's own finding, since it has the SQL statement. */
function tellOnce(said: readonly Finding[], refusals: readonly Finding[]): Finding[] {
  const isSame = (one: Finding, other: Finding) =>
    one.result !== 'passed' && one.type === other.type && one.side === other.side && one.table === other.table;
  return [
    ...said.map((one) => (refusals.some((other) => isSame(one, other)) ? { ...one, result: 'fault' as const } : one)),
    ...refusals.filter((refusal) => !said.some((one) => isSame(one, refusal))),
  ];
}

/** Types of the refusals other than a missing table or column. */
const refusalTypes: Partial<Record<EngineErrorCode, Finding['type']>> = {
  TABLE_WITHOUT_KEY: 'STRUCT_TABLE_PK',
  TABLE_UNLOGGED: 'STRUCT_TABLE_STORAGE',
  IDENTITY_COMPUTED: 'STRUCT_TABLE_PK',
};

function findingOf(error: EngineError, table?: string): Finding {
  return {
    type: refusalTypes[error.code] ?? 'STRUCT_EXISTENCE',
    side: error.place.side ?? 'source',
    result: 'fault',
    sentence: `${error.message} ${error.hint}`,
    ...(table !== undefined && { table }),
  };
}
