import { type QueryExecutorProvider, sql } from 'kysely'

/** A template of SQL that is run as it is written. */
type Run<Result> = (parts: TemplateStringsArray, ...values: unknown[]) => Promise<Result>

/** The rows of a statement. */
export const selectAll =
  <Row>(db: QueryExecutorProvider): Run<Row[]> =>
  async (...statement) =>
    (await sql<Row>(...statement).execute(db)).rows

/** The first row of a statement; null without one. */
export const selectOne =
  <Row>(db: QueryExecutorProvider): Run<Row | null> =>
  async (...statement) =>
    (await selectAll<Row>(db)(...statement))[0] ?? null

/** Whether a statement has a row. */
export const isFound =
  (db: QueryExecutorProvider): Run<boolean> =>
  async (...statement) =>
    (await selectAll(db)(...statement)).length > 0
