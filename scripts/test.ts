// npm test: types, lint, build, then every test; the last line is the sum. `npm test -- <filter>` runs the matching tests only.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { findOrInstallChromium } from './chromium.ts'
import { findOrInstallFirefox } from './firefox.ts'
import { folderInMemory } from './in-memory.ts'
import { versionOf } from './installed-program.ts'
import { Report, type Tally, tally } from './report.ts'
import { began, run, step, steps, together } from './steps.ts'

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

async function tests(name: string, projects: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  console.log(`\nTests: ${projects.join(', ')}`)
  const file = `${reports}/${name}.json`
  const code = await run(
    'node_modules/vitest/vitest.mjs',
    [
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=./scripts/progress.ts',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    { ...env, ...(inMemory ? { TMPDIR: inMemory } : {}) },
  )
  const result = tally(reportIn(file), code)
  sum.passed += result.passed
  sum.failed += result.failed
  sum.skipped += result.skipped
}

/** The browsers for the browser tests, as environment variables; prints their versions. Without Firefox its tests are skipped. */
function findBrowsers(): { CHROMIUM?: string; FIREFOX: string } {
  const chromium = findOrInstallChromium()
  const firefox = findOrInstallFirefox()
  console.log(`\nBrowsers: ${chromium ? versionOf(chromium) : 'no Chromium'}, ${firefox ? versionOf(firefox) : 'no Firefox'}`)
  if (!firefox) console.log('What is tested in Firefox is skipped: install one, or name it in FIREFOX.')
  return { ...(chromium ? { CHROMIUM: chromium } : {}), FIREFOX: firefox ?? '' }
}

const filter = process.argv.slice(2)
const inMemory = filter.length > 0 ? null : folderInMemory()
mkdirSync(reports, { recursive: true })

if (filter.length > 0) {
  const inBrowser = readdirSync('tests/e2e').some((file) => filter.some((word) => `tests/e2e/${file}`.includes(word)))
  const browsers = inBrowser ? findBrowsers() : {}
  if (inBrowser && (await run('scripts/build.mjs', [])) !== 0) process.exit(1)
  const code = await run('node_modules/vitest/vitest.mjs', ['run', ...filter], browsers)
  process.exit(code ?? 1)
}

for (const old of ['tests', 'e2e']) rmSync(`${reports}/${old}.json`, { force: true })

for (const good of await together(steps.types, steps.lint, steps.build)) count(good)
await tests('tests', ['unit', 'alone', 'portal', 'component'])

const browsers = findBrowsers()
if (!browsers.CHROMIUM) {
  console.log('\nThere is no Chromium. Install one, or name it in the environment variable CHROMIUM, then run npm test again.')
  sum.failed += 1
} else if (!existsSync('dist/index.html')) {
  console.log('\nThe browser tests need the build.')
  sum.failed += 1
} else {
  await tests('e2e', ['e2e'], browsers)
}
count(await step('Rows of the checklist', 'scripts/spec.ts', ['--check']))

if (sum.skipped > 0) console.log(`\n${sum.skipped} skipped`)
console.log(`\nTook ${Math.ceil((Date.now() - began) / 60_000)} minutes.`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed === 0 ? 0 : 1
