import { expect, test } from 'vitest'
import { toLangPath, createLangRewrite, plainPath } from './lang-path.ts'

const inputOf = (path: string) => createLangRewrite('en').input({ url: new URL(path, 'https://mingxi.example') }).pathname
const outputOf = (path: string) => createLangRewrite('en').output({ url: new URL(path, 'https://mingxi.example') }).pathname

test('the /en prefix works on any page; only pages with an English address keep it', () => {
  for (const [path, plain] of [
    ['/en', '/'],
    ['/en/pricing', '/pricing'],
    ['/en/login', '/login'],
    ['/en/api', '/api'],
    ['/en/no/such', '/no/such'],
    ['/english', '/english'],
  ] as const)
    expect([path, inputOf(path)]).toEqual([path, plain])
  expect([outputOf('/login'), outputOf('/api'), outputOf('/pricing'), outputOf('/')]).toEqual(['/login', '/api', '/en/pricing', '/en'])
  expect(toLangPath('/pricing', 'zh')).toBe('/pricing')
})

test('no address becomes another host', () => {
  for (const path of ['/en//evil.example', '/en/\\evil.example']) expect(plainPath(path)).toBe(path)
})
