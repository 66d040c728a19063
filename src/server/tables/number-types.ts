import pg from 'pg'

const int8 = 20
const date = 1082

/** Reads bigint columns as numbers (ids and cents stay far below 2^53) and dates without a time as `yyyy-MM-dd`. */
export function readPlainTypes(): void {
  pg.types.setTypeParser(int8, Number)
  pg.types.setTypeParser(date, (text) => text)
}
