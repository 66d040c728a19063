// npm test: types, lint, build, then every test; the last line is the sum. `npm test -- <filter>` runs the matching tests only.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { findOrInstallChromium } from './chromium.ts'
import { findOrInstallFirefox } from './firefox.ts'
import { versionOf } from './installed-program.ts'
import { Report, type Tally, tally } from './report.ts'
import { began, run, runBeside, step, steps, together } from './steps.ts'

const reports = '.cache/reports'
const sum: Tally = { passed: 0, failed: 0, skipped: 0 }

const count = (good: boolean): void => {
  sum[good ? 'passed' : 'failed'] += 1
}

function reportIn(file: string): Report | null {
  try {
    return Report.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

const vitest = 'node_modules/vitest/vitest.mjs'

/** What runs some projects with their report. */
const withReport = (name: string, projects: readonly string[]): string[] => [
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${reports}/${name}.json`,
]

function add(name: string, code: number | null): void {
  const result = tally(reportIn(`${reports}/${name}.json`), code)
  sum.passed += result.passed
  sum.failed += result.failed
  sum.skipped += result.skipped
}

const units = ['unit', 'alone', 'component']

/** Alone, or beside the browser tests: as many files at once as these, so that both end at about the same time. */
async function unitTests(beside: boolean): Promise<void> {
  const workers = availableParallelism()
  const args = withReport('tests', units)
  const name = `Tests: ${units.join(', ')}`
  if (!beside) console.log(`\n${name}`)
  add('tests', await (beside ? runBeside(name, vitest, [...args, `--maxWorkers=${workers}`]) : run(vitest, args)))
}

async function browserTests(env: NodeJS.ProcessEnv): Promise<void> {
  console.log(`\nTests: e2e. Beside them run ${units.join(', ')}, which are shown at their end.`)
  add('e2e', await run(vitest, withReport('e2e', ['e2e']), env))
}

/** The browsers of the browser tests, for their environment, and said with their versions. Without Firefox its part is skipped. */
function findBrowsers(): { CHROMIUM?: string; FIREFOX: string } {
  const chromium = findOrInstallChromium()
  const firefox = findOrInstallFirefox()
  console.log(`\nBrowsers: ${chromium ? versionOf(chromium) : 'no Chromium'}, ${firefox ? versionOf(firefox) : 'no Firefox'}`)
  if (!firefox) console.log('What is tested in Firefox is skipped: install one, or name it in FIREFOX.')
  return { ...(chromium ? { CHROMIUM: chromium } : {}), FIREFOX: firefox ?? '' }
}

const filter = process.argv.slice(2)
mkdirSync(reports, { recursive: true })

if (filter.length > 0) {
  const inBrowser = filter.some((word) => word.includes('e2e'))
  const browsers = inBrowser ? findBrowsers() : {}
  if (inBrowser && (await run('scripts/build.mjs', [])) !== 0) process.exit(1)
  const code = await run('node_modules/vitest/vitest.mjs', ['run', ...filter], browsers)
  process.exit(code ?? 1)
}

for (const old of ['tests', 'e2e']) rmSync(`${reports}/${old}.json`, { force: true })

for (const good of await together(steps.types, steps.lint, steps.build)) count(good)
const browsers = findBrowsers()
const lacks = !browsers.CHROMIUM
  ? 'There is no Chromium. Install one, or name it in the environment variable CHROMIUM, then run npm test again.'
  : !existsSync('dist/index.html')
    ? 'The browser tests need the build.'
    : null
if (lacks) {
  await unitTests(false)
  console.log(`\n${lacks}`)
  sum.failed += 1
  // A browser waits for a disk and a server as often as it works: together they keep all processors busy.
} else await Promise.all([browserTests(browsers), unitTests(true)])
count(await step('Rows of the checklist', 'scripts/spec.ts', ['--check']))

if (sum.skipped > 0) console.log(`\n${sum.skipped} skipped`)
console.log(`\nTook ${Math.ceil((Date.now() - began) / 60_000)} minutes.`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed === 0 ? 0 : 1
