import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('systemd reads the unit', () => {
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', 'deploy/admin-portal.service'], { encoding: 'utf8' })
  // Programs and folders that it names may be missing on this machine.
  const faults = stderr.split('\n').filter((line) => line.includes('admin-portal') && !/not executable|does not exist/.test(line))
  expect(faults).toEqual([])
})
