// npm run check: types, lint, architecture, and all unit tests that need no server: within 90 s on two idle processors.
import { began, step, steps, together } from './steps.ts'

const quick = [
  'architecture.test',
  'docs.test',
  'readme.test',
  'spec.test',
  'tests/domain/',
  'tests/contract/',
  'tests/entities/',
  'tests/kernel/',
  'tests/portal/',
]

const good = [
  ...(await together(steps.types, steps.lint)),
  await step('Tests', 'node_modules/vitest/vitest.mjs', [
    'run',
    ...['--project', 'unit', '--project', 'alone', '--project', 'portal', '--project', 'component', '--slowTestThreshold=60000'],
    // Tests that execute commands against a server belong to the whole run.
    ...['--exclude', 'tests/kernel/money-commands*'],
    ...quick,
  ]),
]
console.log(`\nTook ${Math.ceil((Date.now() - began) / 1_000)} s.`)
process.exitCode = good.every(Boolean) ? 0 : 1
