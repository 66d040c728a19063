import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * Unit test files share their imports, which saves half of their time: they leave nothing in the process but modules. These
 * have a process each, since they leave more: queues of sign-ins, and spies.
 */
const alone = [
  'tests/server/auth/{flood,guessing,hash-queue}.test.ts',
  'tests/server/{lost-connections,money.thrift,read-confirmed,transaction}.test.ts',
]

// A test without an assertion cannot fail, so it fails. Durations are measured by the benches: limits are only for hanging tests.
const expect = { requireAssertions: true, poll: { timeout: 90_000 } }

/** These leave state in the portal's stores. A context per file is enough and takes two thirds of the time of a process. */
const portal = ['tests/portal/**/*.test.ts']

/** These need Debian's packages, and run on request (`npm run test:deploy`). */
const deploy = ['tests/deploy/*.test.ts']

/**
 * Number of parallel files. With two, an eighth of the time both wait for something slow on purpose (a limit, a session that
 * ends, a process that is killed) and a processor is idle; a third one uses that time.
 */
const atOnce = availableParallelism() + 1

/** For tests that need a database. */
const globalSetup = 'tests/support/cluster.ts'

const unit = {
  expect,
  environment: 'node',
  // The cache is for processes that tests start, such as those that read a file.
  env: { NODE_ENV: 'test', NODE_COMPILE_CACHE: resolve('.cache/compiled') },
  // Only for hanging tests: a shared machine may take several times longer.
  testTimeout: 120_000,
  hookTimeout: 180_000,
}

export default defineConfig({
  test: {
    maxWorkers: atOnce,
    projects: [
      {
        test: {
          ...unit,
          globalSetup,
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: [...alone, ...portal, ...deploy],
          isolate: false,
        },
      },
      { test: { ...unit, globalSetup, name: 'alone', include: alone } },
      { test: { ...unit, globalSetup, name: 'deploy', include: deploy } },
      { test: { ...unit, name: 'portal', include: portal, pool: 'vmThreads' } },
      {
        test: {
          name: 'component',
          expect,
          environment: 'happy-dom',
          include: ['tests/**/*.test.tsx'],
          // A context per file instead of a process, which took three quarters of their time.
          pool: 'vmThreads',
          setupFiles: ['tests/support/patience.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          expect,
          environment: 'node',
          isolate: false,
          include: ['tests/e2e/**/*.e2e.ts'],
          globalSetup: ['tests/support/demo-folder.ts'],
          // Two browsers and two servers on two processors: with a third one every page slows down more than it saves.
          maxWorkers: 2,
          // After the others, which have more workers: together they would not run at all.
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
