// npm run spec: the rows of the checklist that no passing test of the last `npm test` proves.
//   -- --area auth        one area only
//   -- --check            ends with 1 when a row is not proved, not every test was run, or a source changed since
//   -- --record           writes docs/proofs.tsv: which tests name which row, as they are now
// Ends with 1 in any case when a test names a row that the checklist does not have, or more rows than one test can show.
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { rowsOf, validated } from './checklist.ts'
import { proofsFile, proofsOf } from './proofs.ts'
import { Report, reportFiles } from './report.ts'

const { values } = parseArgs({
  options: {
    area: { type: 'string' },
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})

const checklist = readFileSync('docs/checklist.tsv', 'utf8')
if (values.record) {
  writeFileSync(proofsFile, proofsOf(rowsOf(checklist)))
  process.exit(0)
}

const files = reportFiles.filter((file) => existsSync(file))
if (files.length === 0) {
  console.error('There is no report yet. Run npm test first.')
  process.exit(1)
}

const reportedAt = Math.min(...files.map((file) => statSync(file).mtimeMs))
const sources = globSync(['src/**/*.*', 'commands/**/*.ts', 'tests/**/*.*', 'index.html'])

const { lines, good } = validated(
  checklist,
  new Map(files.map((file) => [file, Report.parse(JSON.parse(readFileSync(file, 'utf8')))])),
  {
    ...values,
    testFiles: globSync('tests/**/*.{test,e2e}.{ts,tsx}', { exclude: ['tests/deploy/**'] }).map((file) =>
      file.replaceAll('\\', '/'),
    ),
    stale: sources.filter((file) => statSync(file).mtimeMs > reportedAt),
  },
)
for (const line of lines) console.log(line)
if (!good) process.exitCode = 1
