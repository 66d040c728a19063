// npm test: types, lint, build, then every test; the last line is the sum. `npm test -- <filter>` runs the matching tests only.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { findOrInstallChromium } from './chromium.ts'
import { findOrInstallFirefox } from './firefox.ts'
import { versionOf } from './installed-program.ts'
import { Report, type Tally, tally } from './report.ts'

// A guard against a run that hangs; a whole run is meant to take less than 15 minutes on two cores.
const began = Date.now()
const deadline = began + 45 * 60_000
const reports = '.cache/reports'
const sum: Tally = { passed: 0, failed: 0, skipped: 0 }

let running: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    running?.kill(signal)
    process.exit(130)
  })
}

/** Runs a program of Node's to its end, at most until the deadline; answers its exit code, null when it was stopped. */
function run(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit', env: { ...process.env, ...env } })
    running = child
    const late = setTimeout(
      () => {
        console.log('The time of this run is over.')
        child.kill('SIGTERM')
        setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
      },
      Math.max(0, deadline - Date.now()),
    )
    child.on('error', () => resolve(1))
    child.on('exit', (code) => {
      clearTimeout(late)
      resolve(code)
    })
  })
}

async function step(name: string, file: string, args: string[]): Promise<void> {
  console.log(`\n${name}`)
  const good = (await run(file, args)) === 0
  sum[good ? 'passed' : 'failed'] += 1
  console.log(good ? `${name}: good` : `${name}: FAILED`)
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
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    env,
  )
  const result = tally(reportIn(file), code)
  sum.passed += result.passed
  sum.failed += result.failed
  sum.skipped += result.skipped
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

await step('Types', 'node_modules/typescript/bin/tsc', ['-p', '.'])
await step('Lint and format', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.'])
await step('Build', 'scripts/build.mjs', [])
await tests('tests', ['unit', 'component'])

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
await step('Rows of the checklist', 'scripts/spec.ts', ['--check', 'docs/foundation-rows.txt', '--check', 'docs/money-rows.txt'])

if (sum.skipped > 0) console.log(`\n${sum.skipped} skipped`)
console.log(`\nTook ${Math.ceil((Date.now() - began) / 60_000)} minutes.`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed === 0 ? 0 : 1
