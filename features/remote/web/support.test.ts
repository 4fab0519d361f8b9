import { expect, test } from 'vitest'
import { resolveBrowserSupport } from './remote-page.tsx'

const can = { socket: true, bitmap: true }
const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  ['full', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/148.0.0.0 Safari/537.36`],
  ['full', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/148.0.0.0 Safari/537.36 Edg/148.0.0.0`],
  ['full', 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'],
  ['phone', `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${KIT} Chrome/148.0.0.0 Mobile Safari/537.36`],
  ['none', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15'],
  ['none', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/148.0 Mobile/15E148 Safari/604.1'],
  ['none', `Mozilla/5.0 (Linux; Android 16; wv) ${KIT} Chrome/148.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.60`],
])('%s: %s', (support, agent) => {
  expect(resolveBrowserSupport(agent, can)).toBe(support)
})

test('without sockets or pictures nothing is supported', () => {
  const chrome = `Mozilla/5.0 (Windows NT 10.0) ${KIT} Chrome/148.0.0.0 Safari/537.36`
  expect(resolveBrowserSupport(chrome, { ...can, socket: false })).toBe('none')
  expect(resolveBrowserSupport(chrome, { ...can, bitmap: false })).toBe('none')
})
