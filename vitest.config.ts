import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * Files of unit tests share what they import, which takes half of their time: nothing of theirs stays in the process but
 * modules. These have a process each, since they leave more than that: queues of sign-ins, and spies.
 */
const alone = ['tests/server/auth/*.test.ts', 'tests/server/{lost-connections,money.thrift,read-confirmed,transaction}.test.ts']

// A test without an assertion cannot fail, so it fails. How long something takes is what the benches measure.
const expect = { requireAssertions: true, poll: { timeout: 30_000 } }

/** These leave the stores of the portal. A context for each of them does instead of a process, which took half as much again. */
const portal = ['tests/portal/**/*.test.ts']

/**
 * Files at once. Of two, an eighth of the time both wait for what is slow on purpose (a limit, a session that ends, a process that is
 * killed), and a processor has nothing to do; a third one takes that time.
 */
const atOnce = availableParallelism() + 1

const unit = {
  expect,
  environment: 'node',
  globalSetup: 'tests/support/cluster.ts',
  env: { NODE_ENV: 'test' },
  // For what hangs: a machine that is shared may take several times what a test needs.
  testTimeout: 120_000,
  hookTimeout: 180_000,
}

export default defineConfig({
  test: {
    maxWorkers: atOnce,
    projects: [
      { test: { ...unit, name: 'unit', include: ['tests/**/*.test.ts'], exclude: [...alone, ...portal], isolate: false } },
      { test: { ...unit, name: 'alone', include: alone } },
      { test: { ...unit, name: 'portal', include: portal, pool: 'vmThreads' } },
      {
        test: {
          name: 'component',
          expect,
          environment: 'happy-dom',
          include: ['tests/**/*.test.tsx'],
          // A context for each file instead of a process, which took three quarters of their time.
          pool: 'vmThreads',
          setupFiles: ['tests/support/patience.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          expect: { ...expect, poll: { timeout: 90_000 } },
          environment: 'node',
          isolate: false,
          include: ['tests/e2e/**/*.e2e.ts'],
          globalSetup: ['tests/support/demo-folder.ts'],
          // Two browsers and two servers on two processors: with a third each page takes longer than it is there for less.
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
