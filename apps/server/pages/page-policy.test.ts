import { expect, test } from 'vitest'
import type { Deps, Feature } from '#platform/server/feature.ts'
import { buildPagePolicy, formatPolicy } from './serve-pages.ts'

const deps = {} as Deps
const vendor: Feature = {
  name: 'x',
  pageSources: async () => ({ 'script-src': ['https://x.example'], 'connect-src': ['https://x.example', 'wss://x.example'] }),
}

test('by itself a page reaches this origin only, and runs no inline script', () => {
  expect(formatPolicy()).toContain(`script-src 'self';`)
  expect(formatPolicy()).not.toMatch(/script-src[^;]*unsafe/)
  expect(formatPolicy()).toContain(`frame-ancestors 'none'`)
})

test('pages may be framed by no origin, or by those that are named', async () => {
  const framed: Feature = { name: 'z', pageSources: async () => ({ 'frame-ancestors': ['https://partner.example'] }) }
  expect((await buildPagePolicy(deps, [framed])).text).toContain(`frame-ancestors https://partner.example;`)
  expect((await buildPagePolicy(deps, [framed])).text).toContain(`object-src 'none';`)
})

test('a feature’s sources join their directives only, and the document’s tag tells the policies apart', async () => {
  const own = await buildPagePolicy(deps, [{ name: 'y' }])
  const more = await buildPagePolicy(deps, [vendor, { name: 'y' }, vendor])
  expect(own.text).toBe(formatPolicy())
  expect(more.text).toContain(`script-src 'self' https://x.example;`)
  expect(more.text).toContain(`connect-src 'self' https://x.example wss://x.example;`)
  expect(more.text.replaceAll(' https://x.example', '').replace(' wss://x.example', '')).toBe(own.text)
  expect([own.etag('"abc"'), more.etag('"abc"')]).toEqual(['"abc"', expect.stringMatching(/^"abc-[0-9a-f]{8}"$/)])
})
