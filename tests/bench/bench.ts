// npm run bench: measures against the budgets, prints a table and saves it as .cache/bench.json.
//   -- --employees 1000000     a larger company
//   -- --only size,browser     selected parts: start, api, commands, money, size, pages, browser, heap; and only on request
//                              imports: files of 100,000 employees and 300,000 time entries, compared with COPY;
//                              growth: searches, counts and the night's round, to compare companies of several sizes;
//                              large: the same with ten time entries of each employee, pages, dashboard and an import;
//                                     the night's round is left after --minutes (60);
//                              replicas: list pages a second with one and with two databases;
//                              dashboard: its call, with a million invoices;
//                              time: the page of one person among a million time entries and among 20 million (--entries)
//   -- --folder ~/company       creates the company there and keeps it, or measures the one that is there
//   -- --only pages --peers ~/peers   the palette and the list over generated data, beside other products in that folder
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchApi } from '#tests/bench/api.ts'
import { benchBrowser } from '#tests/bench/browser.ts'
import { benchCommands } from '#tests/bench/commands.ts'
import { type Measure, merged, tableOf } from '#tests/bench/figures.ts'
import { benchDashboard } from '#tests/bench/dashboard.ts'
import { benchNight, benchSearches } from '#tests/bench/growth.ts'
import { benchHeap } from '#tests/bench/heap.ts'
import { benchImports } from '#tests/bench/imports.ts'
import { benchMoney } from '#tests/bench/money.ts'
import { benchPeers } from '#tests/bench/peers.ts'
import { benchReplicas } from '#tests/bench/replicas.ts'
import { benchSize } from '#tests/bench/size.ts'
import { benchStart } from '#tests/bench/start-up.ts'
import { benchTimeEntries } from '#tests/bench/time-entries.ts'
import { closeBrowser } from '#tests/e2e/profiles.ts'
import { portalOn } from '#tests/e2e/support.ts'

const { values } = parseArgs({
  options: {
    employees: { type: 'string', default: '100000' },
    entries: { type: 'string', default: '20000000' },
    folder: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    only: { type: 'string', default: 'start,api,commands,money,size,pages,browser,heap' },
    peers: { type: 'string' },
  },
})
const employees = Number(values.employees)
const only = new Set(values.only.split(','))
const measures: Measure[] = []
const add = (more: Measure[]) => {
  measures.push(...more)
  console.log(`${tableOf(more)}\n`)
}

// Measures a build of the current sources.
execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
if (only.has('size')) add(benchSize())
if (only.has('replicas')) add(await benchReplicas(employees))
if (only.has('pages')) {
  add(await benchPeers(values.peers))
  await closeBrowser()
}

if (
  ['start', 'api', 'commands', 'money', 'browser', 'heap', 'time', 'dashboard', 'growth', 'large', 'imports'].some((part) =>
    only.has(part),
  )
) {
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'admin-portal-bench-'))
  const { measures: starts, server, origin } = await benchStart(folder, employees, only.has('large'))
  try {
    if (only.has('start')) add(starts)
    if (only.has('api')) add(await benchApi(origin, folder, employees))
    if (only.has('commands')) add(await benchCommands(origin, folder))
    if (only.has('imports')) add(await benchImports(origin, folder))
    if (only.has('growth')) {
      add(await benchSearches(origin, folder))
      add(await benchNight(folder, employees, Number(values.minutes)))
    }
    if (only.has('large')) {
      add(await benchApi(origin, folder, employees))
      add(await benchSearches(origin, folder))
      add(await benchDashboard(origin, folder, 0))
      add(await benchImports(origin, folder, 1))
      add(await benchNight(folder, employees, Number(values.minutes)))
    }
    if (only.has('dashboard')) add(await benchDashboard(origin, folder))
    if (only.has('time')) add(await benchTimeEntries(origin, folder, employees, Number(values.entries)))
    if (only.has('money')) {
      const runs: Measure[][] = []
      for (let run = 0; run < 5; run += 1) runs.push(await benchMoney(origin, folder, server.child.pid as number))
      add(merged(runs))
    }
    if (only.has('browser') || only.has('heap')) {
      const portal = await portalOn(origin, folder, server)
      try {
        if (only.has('browser')) add(await benchBrowser(portal, employees))
        if (only.has('heap')) add(await benchHeap(portal))
      } finally {
        await portal.leave()
        await closeBrowser()
      }
    }
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
    if (!values.folder) rmSync(folder, { recursive: true, force: true })
  }
}

mkdirSync('.cache', { recursive: true })
const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}`
writeFileSync(
  '.cache/bench.json',
  `${JSON.stringify({ at: new Date(), machine, node: process.version, employees, measures }, null, 2)}\n`,
)
console.log(`${tableOf(measures)}\n\n${machine}, Node ${process.version}, saved as .cache/bench.json`)
