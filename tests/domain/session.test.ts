import { expect, test } from 'vitest'
import { deviceWords } from '#domain/session.ts'

const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140 on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/141.0.0.0 Safari/537.36`, 'Chrome 141 on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, 'Edge 141 on Windows'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${engine} Chrome/141.0.0.0 Mobile Safari/537.36`, 'Chrome 141 on Android'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${engine} HeadlessChrome/141.0.0.0 Safari/537.36`, 'Chromium 141 on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari 18 on macOS',
  ],
  ['curl/8.14.1', 'Unknown device'],
  ['', 'Unknown device'],
  [undefined, 'Unknown device'],
])('the user agent %s reads %s', (userAgent, words) => {
  expect(deviceWords(userAgent)).toBe(words)
})

test('a made-up user agent gives no longer description than a real one', () => {
  expect(deviceWords(`Firefox/${'9'.repeat(5000)}`)).toBe('Firefox 9999')
})
