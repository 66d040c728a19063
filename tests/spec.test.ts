import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { idsIn, provedBy, rowsOf, type SpecOptions, validated } from '../scripts/checklist.ts'
import { namedTestsIn, proofsFile, proofsOf } from '../scripts/proofs.ts'
import { Report, reportFiles, tally } from '../scripts/report.ts'

const report = (...tests: [title: string, status: string][]): Report => ({
  testResults: [
    {
      name: 'a.test.ts',
      status: tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
      message: '',
      assertionResults: tests.map(([title, status]) => ({ title, fullName: title, status })),
    },
  ],
})

describe('the checklist', () => {
  test('has unique ids, each with a requirement', () => {
    const rows = rowsOf(readFileSync('docs/checklist.tsv', 'utf8'))
    expect(rows.length).toBeGreaterThan(700)
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
    expect(rows.filter((row) => !/^[A-Z]+-\d{3}$/.test(row.id) || !row.area || !row.requirement)).toEqual([])
  })

  // A change of the specification changes this sum on purpose; nothing else may.
  test('is the one of the specification, with every row and every word', () => {
    const sum = createHash('sha256').update(readFileSync('docs/checklist.tsv')).digest('hex')
    expect(sum).toBe('89efcbce68053e51b69365a30f424d1d47a5e15a21c9429df32bd696b8c510a1')
  })

  test('has the tests of each row recorded: `npm run spec -- --record` records a change', () => {
    const rows = rowsOf(readFileSync('docs/checklist.tsv', 'utf8'))
    const recorded = readFileSync(proofsFile, 'utf8')
    expect(recorded.split('\n')).toEqual(proofsOf(rows).split('\n'))
    expect(rows.filter(({ id }) => !recorded.includes(`\n${id}\t`))).toEqual([])
  })

  test('finds the tests that name a row in titles, groups and tables of cases', () => {
    const rows = new Set(['EMP-001', 'EMP-002', 'EMP-003', 'EMP-004'])
    const text = `describe('[EMP-001] a group', () => {
      test.each([['EMP-003', 1], ['EMP-009', 2]])('[%s] a case', () => {})
      test(\`[EMP-002] with ${'${'}value}\`, () => {})
      test('EMP-004 without brackets', () => expect('see EMP-004').toBe(1))
    })`
    expect(namedTestsIn('a.test.ts', text, rows)).toEqual([
      { id: 'EMP-001', file: 'a.test.ts', title: '[EMP-001] a group' },
      { id: 'EMP-002', file: 'a.test.ts', title: '[EMP-002] with %s' },
      { id: 'EMP-003', file: 'a.test.ts', title: '' },
    ])
  })

  test.each([
    ['[EMP-002] pause needs a reason', ['EMP-002']],
    ['[EMP-001, EMP-002] both', ['EMP-001', 'EMP-002']],
    ['[AUTH-010..012] a range', ['AUTH-010', 'AUTH-011', 'AUTH-012']],
    ['[AUTH-010..AUTH-011, ERR-001] a range and one', ['AUTH-010', 'AUTH-011', 'ERR-001']],
    ['EMP-002 without brackets', []],
    ['[AUTH-010..ERR-012] across areas', []],
    ['[object] and [1]', []],
  ])('reads the ids of a title, case %#', (title, ids) => {
    expect(idsIn(title)).toEqual(ids)
  })

  test('a row is proved where every test that names it passed', () => {
    const { proved, named } = provedBy([
      report(['[A-001] good', 'passed'], ['[A-002] bad', 'failed'], ['[A-003] left out', 'skipped'], ['[A-004] to come', 'todo']),
      report(['[A-001, A-005] one case', 'passed'], ['[A-005] the other case', 'failed']),
      report(['[A-006] one case', 'passed'], ['[A-006] the other case', 'skipped']),
    ])
    expect([...proved]).toEqual(['A-001'])
    expect([...named].sort()).toEqual(['A-001', 'A-002', 'A-003', 'A-004', 'A-005', 'A-006'])
  })

  test('ids may be in the name of a group, and a title with more than four is reported', () => {
    const inGroup = report(['sorts', 'passed'])
    const [only] = inGroup.testResults[0]?.assertionResults ?? []
    if (only) only.fullName = '[A-001] a list sorts'
    expect([...provedBy([inGroup]).proved]).toEqual(['A-001'])
    const four = '[A-001..004] what one test can show'
    const five = '[A-001..004] [A-005] more than one test can show'
    expect(provedBy([report([four, 'passed'], [five, 'passed'])]).crowded).toEqual([five])
  })

  test('reports a file without tests, and one that failed outside of its tests', () => {
    const file = (name: string, status: string, ...statuses: string[]) => ({
      name,
      status,
      message: '',
      assertionResults: statuses.map((each) => ({ title: 'a', fullName: 'a', status: each })),
    })
    const files = [
      file('good', 'passed', 'passed'),
      file('bad', 'failed', 'passed', 'failed'),
      file('empty', 'passed'),
      file('not loaded', 'failed'),
      file('not ended', 'failed', 'passed'),
    ]
    expect(provedBy([{ testResults: files }]).broken).toEqual(['empty', 'not loaded', 'not ended'])
  })

  test('no test passes by failing', () => {
    const files = globSync('{tests,src,commands}/**/*.{test,e2e}.{ts,tsx}')
    expect(files.length).toBeGreaterThan(150)
    const fails = /\b(test|it|describe)(\.\w+)*\.fails\b|\bfails: true\b/
    expect(files.filter((path) => fails.test(readFileSync(path, 'utf8')))).toEqual([])
  })
})

describe('the sum of a run', () => {
  test('counts what passed, failed and was skipped', () => {
    expect(tally(report(['a', 'passed'], ['b', 'failed'], ['c', 'skipped']), 1)).toEqual({ passed: 1, failed: 1, skipped: 1 })
  })

  test('a run without a report, a file that does not load and a run without tests are failures', () => {
    expect(tally(null, 0).failed).toBe(1)
    expect(tally({ testResults: [] }, 0).failed).toBe(1)
    expect(tally({ testResults: [{ name: 'a', status: 'failed', message: 'broken', assertionResults: [] }] }, 1).failed).toBe(1)
  })

  test('an error outside the tests is a failure', () => {
    expect(tally(report(['a', 'passed']), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
    expect(tally(report(['a', 'passed']), 0)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  })

  test('a test without an assertion fails, and a skipped one does not count as passed', { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join('tests', 'support', 'sample-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(
      join(folder, 'sample.test.tsx'),
      `import { expect, test } from 'vitest'
       test('[A-001] asserts', () => expect(1).toBe(1))
       test('[A-002] asserts nothing', () => {})
       test.skip('[A-003] is left out', () => expect(1).toBe(1))
       test.todo('[A-004] is to come')`,
    )
    const run = spawnSync(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project',
        'component',
        '--reporter=json',
        `--outputFile.json=${folder}/report.json`,
        folder,
      ],
      { stdio: 'ignore' },
    )
    const real = Report.parse(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')))
    expect([...provedBy([real]).proved]).toEqual(['A-001'])
    expect(tally(real, run.status)).toEqual({ passed: 1, failed: 1, skipped: 2 })
  })
})

describe('npm run spec', () => {
  const checklist = 'id\tsection\tarea\trequirement\nA-001\t1\tshell\tone\nA-002\t1\taccess\ttwo\n'
  /** Output for the reports of a run: of everything but the browser tests, and of these. */
  function spec(options: SpecOptions, ...made: (Report | null)[]) {
    const reports = new Map(reportFiles.flatMap((file, index) => (made[index] ? [[file, made[index]] as const] : [])))
    const { good, lines } = validated(checklist, reports, options)
    return { good, said: lines.join('\n') }
  }
  const check = { check: true }
  const one = report(['[A-001] one', 'passed'])
  const two = report(['[A-002] two', 'passed'])

  test('--check passes where every row of the checklist is proved', () => {
    expect(spec(check, one, two)).toEqual({ good: true, said: '2 of 2 rows have a passing test, 0 have none.' })
  })

  test.each([
    ['no test names', report(['of no row', 'passed'])],
    ['has a skipped test', report(['[A-002] a', 'passed'], ['[A-002] b', 'skipped'])],
    ['has a todo test', report(['[A-002] two', 'todo'])],
    ['has a failed test', report(['[A-002] two', 'failed'])],
  ])('--check fails on a row that %s; without it the row is only listed', (_, second) => {
    expect(spec(check, one, second)).toMatchObject({ good: false, said: expect.stringContaining('A-002  two') })
    expect(spec({}, one, second)).toMatchObject({ good: true, said: expect.stringContaining('A-002  two') })
  })

  test('--check fails where a part of the tests was not run, or a file has no tests', () => {
    const both = report(['[A-001, A-002] both', 'passed'])
    expect(spec(check, both, null)).toMatchObject({
      good: false,
      said: expect.stringContaining('There is no .cache/reports/e2e.json'),
    })
    const empty = { testResults: [{ name: 'empty.e2e.ts', status: 'passed', message: '', assertionResults: [] }] }
    expect(spec(check, both, empty)).toMatchObject({ good: false, said: expect.stringContaining('empty.e2e.ts') })
  })

  test('--check fails where a test file is in no report, or a source changed after the reports', () => {
    const testFiles = ['a.test.ts', 'tests/b.e2e.ts']
    const filtered = spec({ ...check, testFiles }, one, two)
    expect(filtered).toMatchObject({ good: false, said: expect.stringContaining('Not in the report: tests/b.e2e.ts') })
    expect(filtered.said).not.toContain('Not in the report: a.test.ts')
    const stale = { stale: ['src/a.ts'] }
    expect(spec({ ...check, ...stale }, one, two)).toMatchObject({ good: false, said: expect.stringContaining('src/a.ts') })
    expect(spec(stale, one, two).good).toBe(true)
  })

  test('an area is checked by itself, and an unknown area counts as not proved', () => {
    const failed = report(['[A-002] two', 'failed'])
    expect(spec({ ...check, area: 'shell' }, one, failed).good).toBe(true)
    expect(spec({ ...check, area: 'access' }, one, failed).good).toBe(false)
    expect(spec({ area: 'acess' }, one, two)).toEqual({ good: false, said: 'The checklist has no area acess.' })
  })

  test('an unknown id and a title with more than four ids are always failures', () => {
    expect(spec({}, one, report(['[A-003] no such row', 'passed']))).toMatchObject({
      good: false,
      said: expect.stringContaining('Not in the checklist: A-003'),
    })
    expect(spec({}, one, report(['[A-001] [A-002..005] five', 'passed'])).good).toBe(false)
  })

  test('the exit code reports an unproved row, as `npm test` runs it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'spec-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, '.cache/reports'), { recursive: true })
    mkdirSync(join(folder, 'docs'))
    writeFileSync(join(folder, 'docs/checklist.tsv'), checklist)
    for (const file of reportFiles) writeFileSync(join(folder, file), JSON.stringify(one))
    const run = spawnSync(process.execPath, [join(process.cwd(), 'scripts/spec.ts'), '--check'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect([run.status, run.stdout]).toEqual([1, expect.stringContaining('1 of 2 rows have a passing test, 1 have none.')])
    expect(readFileSync('scripts/test.ts', 'utf8')).toContain("'scripts/spec.ts', ['--check']")
  }, 60_000)
})
