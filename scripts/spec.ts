// npm run spec: the rows of the checklist that no passing test of the last `npm test` proves.
//   -- --area auth        one area only
//   -- --check ids.txt    the ids in a file, or in several; ends with 1 when one of them is not proved
// Ends with 1, too, when a test names a row that the checklist does not have, or more rows than one test can show.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { mostIdsOfTitle, provedBy, rowsOf } from './checklist.ts'
import { Report } from './report.ts'

const { values } = parseArgs({ options: { area: { type: 'string' }, check: { type: 'string', multiple: true } } })

const files = ['.cache/reports/tests.json', '.cache/reports/e2e.json'].filter((file) => existsSync(file))
if (files.length === 0) {
  console.error('There is no report yet. Run npm test first.')
  process.exit(1)
}

const reportedAt = Math.min(...files.map((file) => statSync(file).mtimeMs))
const newer = globSync(['src/**/*.*', 'commands/**/*.ts', 'tests/**/*.*', 'index.html']).filter(
  (file) => statSync(file).mtimeMs > reportedAt,
)
if (newer.length > 0) console.log(`The report is older than ${newer.length} sources, such as ${newer[0]}. Run npm test again.\n`)

const { proved, named, crowded } = provedBy(files.map((file) => Report.parse(JSON.parse(readFileSync(file, 'utf8')))))
const every = rowsOf(readFileSync('docs/checklist.tsv', 'utf8'))
const known = new Set(every.map((row) => row.id))

const wanted = values.check
  ? new Set(values.check.flatMap((file) => readFileSync(file, 'utf8').match(/[A-Z]+-\d+/g) ?? []))
  : null
const rows = every.filter((row) => (!values.area || row.area === values.area) && (!wanted || wanted.has(row.id)))
const open = rows.filter((row) => !proved.has(row.id))

for (const [area, list] of Map.groupBy(open, (row) => row.area)) {
  console.log(`${area} (${list.length})`)
  for (const row of list) console.log(`  ${row.id}  ${row.requirement}`)
  console.log()
}

const unknown = [...named, ...(wanted ?? [])].filter((id) => !known.has(id))
if (unknown.length > 0) console.log(`Not in the checklist: ${unknown.join(', ')}\n`)
for (const name of crowded) console.log(`Names more than ${mostIdsOfTitle} rows: ${name}`)
console.log(`${rows.length - open.length} of ${rows.length} rows have a passing test, ${open.length} have none.`)
if (unknown.length > 0 || crowded.length > 0 || (wanted && open.length > 0)) process.exitCode = 1
