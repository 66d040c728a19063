// npm run check: types, lint, architecture, and all unit tests that need no server: within a minute on two idle processors.
import { globSync, readFileSync } from 'node:fs'
import { began, step, steps, together } from './steps.ts'

const quick = [
  'architecture.test',
  'docs.test',
  'readme.test',
  'spec.test',
  'tests/domain/',
  'tests/contract/',
  'tests/entities/',
  'tests/portal/',
]

/** Tests that execute commands against a server belong to the whole run. */
const withoutServer = globSync('tests/kernel/**/*.test.{ts,tsx}').filter(
  (file) => !/#tests\/(support\/server|kernel\/money-host)\.ts'/.test(readFileSync(file, 'utf8')),
)
process.env['WITHOUT_DATABASE'] = '1'

const good = [
  ...(await together(steps.types, steps.lint)),
  await step('Tests', 'node_modules/vitest/vitest.mjs', [
    'run',
    ...['unit', 'alone', 'portal', 'component'].flatMap((project) => ['--project', project]),
    '--reporter=./scripts/progress.ts',
    ...quick,
    ...withoutServer,
  ]),
]
console.log(`\nTook ${Math.ceil((Date.now() - began) / 1_000)} s.`)
process.exitCode = good.every(Boolean) ? 0 : 1
