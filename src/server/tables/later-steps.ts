import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { unlessUnderWay } from '#server/postgres/guard.ts'
import {
  addReference,
  buildIndex,
  dropReplaced,
  type Online,
  otherPrimaryKey,
  type Reference,
  replacePrimaryKey,
  requireColumn,
  runBriefly,
  takeValues,
} from '#server/postgres/online-ddl.ts'
import { isFound } from '#server/postgres/select.ts'
import type { Database } from '#server/tables/database.ts'
import { putSetting, settingOf } from '#server/tables/setting.ts'

/**
 * A step of the schema that takes long on many rows, as a migration or the demo company leaves it in a setting. Each can be
 * interrupted and repeated:
 * - `index`: builds an index, from its definition by PostgreSQL;
 * - `require`: makes a column of a table required, and fills its rows by a trigger that has the value;
 * - `primary`: replaces the primary key of a table by one of these columns;
 * - `take`: notes the values of a column, which are unique over all organizations, for which a trigger notes new ones;
 * - `reference`: adds a foreign key of a table, and drops the one that it replaces;
 * - `statement`: runs a short statement that may be repeated.
 */
export type LaterStep =
  | { index: string }
  | { require: string; column: string }
  | { primary: string; columns: string }
  | { take: string; column: string }
  | { reference: string; name: string; definition: string; instead: string | null }
  | { statement: string }

const setting = 'later-steps'
const lock = 4_184_007

/** The steps that remain. */
export const stepsLeft = async (db: Kysely<Database>): Promise<LaterStep[]> =>
  JSON.parse((await settingOf(db, setting)) ?? '[]') as LaterStep[]

/** Stores the steps that remain. */
const leaveSteps = (db: Kysely<Database>, steps: readonly LaterStep[]): Promise<void> =>
  putSetting(db, setting, JSON.stringify(steps))

/** Leaves indexes, by their definitions, to be built after the server has started. */
export const leaveIndexes = async (db: Kysely<Database>, definitions: readonly string[]): Promise<void> =>
  leaveSteps(db, [...(await stepsLeft(db)), ...definitions.map((index) => ({ index }))])

/** Whether the role owns the tables, and therefore can take the steps. */
export const canTakeSteps = (db: Kysely<Database>): Promise<boolean> => isFound(db)`
  select from pg_class where oid = to_regclass('public.employees') and pg_has_role(current_user, relowner, 'MEMBER')`

/**
 * Whether old rows may still lack a value that a step requires, by which the statements of this release find them: nothing is
 * served until they have it.
 */
export const lackValues = (steps: readonly LaterStep[]): boolean => steps.some((step) => 'require' in step)

/**
 * How the steps are taken: only until no row lacks a value, or all of them. The size of the transactions that fill a column can
 * be given.
 */
export interface StepOptions extends Pick<Online, 'stop' | 'pages'> {
  untilFilled?: boolean
}

/** Whether enough of the steps are taken. */
const isEnough = (steps: readonly LaterStep[], { untilFilled }: StepOptions): boolean =>
  untilFilled ? !lackValues(steps) : steps.length === 0

/**
 * Takes the remaining steps, as the role that owns the tables, without blocking reads or writes for longer than a moment. Resolves
 * when none is left, or enough are taken, whether this or another process took them, or when `stop` is aborted; an interrupted step is repeated.
 */
export async function takeLaterSteps(owner: Kysely<Database>, options: StepOptions = {}): Promise<void> {
  const isDone = async () => options.stop?.aborted || isEnough(await stepsLeft(owner), options)
  while (!(await isDone())) if (!(await unlessUnderWay(owner, lock, (one) => takeAll({ ...options, one })))) await sleep(500)
}

async function takeAll(online: Online & StepOptions): Promise<void> {
  const { one, stop } = online
  for (let remaining = await stepsLeft(one); remaining[0] && !isEnough(remaining, online); remaining = remaining.slice(1)) {
    await takeStep(online, remaining[0])
    if (stop?.aborted) return
    await leaveSteps(one, remaining.slice(1))
  }
}

function takeStep(online: Online, step: LaterStep): Promise<void> {
  if ('index' in step) return buildIndex(online, step.index)
  if ('require' in step) return requireColumn(online, step.require, step.column)
  if ('primary' in step) return replacePrimaryKey(online, step.primary, step.columns)
  if ('take' in step) return takeValues(online, step.take, step.column)
  if ('reference' in step) return addReference(online, referenceOf(step))
  return runBriefly(online, step.statement)
}

const referenceOf = ({ reference: table, ...rest }: Extract<LaterStep, { reference: string }>): Reference => ({ table, ...rest })

/**
 * Takes the remaining steps in the transaction of the migration if no company exists yet, so that a new database is complete from
 * the start.
 */
export async function takeStepsOfEmpty(tx: Kysely<Database>): Promise<void> {
  const steps = await stepsLeft(tx)
  if (steps.length === 0 || (await isFound(tx)`select from organizations limit 1`)) return
  for (const statement of steps.flatMap(statementsOf)) await sql.raw(statement).execute(tx)
  await leaveSteps(tx, [])
}

/** The statements of a step on empty tables. */
function statementsOf(step: LaterStep): string[] {
  if ('index' in step) return [step.index]
  if ('require' in step) return [`alter table ${step.require} alter column ${step.column} set not null`]
  if ('primary' in step) return [otherPrimaryKey(step.primary, step.columns)]
  if ('take' in step) return []
  if ('reference' in step)
    return [`alter table ${step.reference} add constraint ${step.name} ${step.definition}`, ...dropReplaced(referenceOf(step))]
  return [step.statement]
}
