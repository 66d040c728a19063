import { expect, test } from 'vitest'
import { blockOf, networkOf } from '#server/limits/network.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:FFFF:cb00:7109', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:51000', '203.0.113.9'],
  ['::ffff:203.0.113.9:51000', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::1', '2001:db8:1:2'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['203.0.113.9:51000', '203.0.113.9'],
  ['[2001:db8:1:2::1]:51000', '2001:db8:1:2'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['203.0.113.9', '203.0.113'],
  ['::ffff:203.0.113.200', '203.0.113'],
  ['::ffff:cb00:71c8', '203.0.113'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
])('the neighbourhood of %s is %s', (address, block) => {
  expect(blockOf(address)).toBe(block)
})
