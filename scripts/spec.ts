// npm run spec: the rows of the checklist that no passing test of the last `npm test` proves.
//   -- --area auth        one area only
//   -- --check            ends with 1 when a row is not proved, or when not every test was run
// Ends with 1 in any case when a test names a row that the checklist does not have, or more rows than one test can show.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { validated } from './checklist.ts'
import { Report, reportFiles } from './report.ts'

const { values } = parseArgs({ options: { area: { type: 'string' }, check: { type: 'boolean', default: false } } })

const files = reportFiles.filter((file) => existsSync(file))
if (files.length === 0) {
  console.error('There is no report yet. Run npm test first.')
  process.exit(1)
}

const reportedAt = Math.min(...files.map((file) => statSync(file).mtimeMs))
const newer = globSync(['src/**/*.*', 'commands/**/*.ts', 'tests/**/*.*', 'index.html']).filter(
  (file) => statSync(file).mtimeMs > reportedAt,
)
if (newer.length > 0) console.log(`The report is older than ${newer.length} sources, such as ${newer[0]}. Run npm test again.\n`)

const { lines, good } = validated(
  readFileSync('docs/checklist.tsv', 'utf8'),
  new Map(files.map((file) => [file, Report.parse(JSON.parse(readFileSync(file, 'utf8')))])),
  values,
)
for (const line of lines) console.log(line)
if (!good) process.exitCode = 1
