import { describe, expect, test } from 'vitest'
import { rewriteShareUrl } from './share-url.ts'

describe('a share address', () => {
  test('of ChatGPT goes to one of the ten siblings of its host, and an existing number is replaced', () => {
    expect(rewriteShareUrl('https://chat.share.example/s/abc', { service: 'chatgpt', digit: 7 })).toBe('https://chat7.share.example/s/abc')
    expect(rewriteShareUrl('https://chat3.share.example/s/abc', { service: 'chatgpt', digit: 0 })).toBe('https://chat0.share.example/s/abc')
    expect(rewriteShareUrl('https://chat.share.example/s/abc', { service: 'chatgpt' })).toBe('https://chat.share.example/s/abc')
  })

  test('of another service keeps its host, and voice adds its redirect', () => {
    expect(rewriteShareUrl('https://claude.share.example/s/abc', { service: 'claude', digit: 7 })).toBe('https://claude.share.example/s/abc')
    expect(rewriteShareUrl('https://chat.share.example/s/abc?x=1', { service: 'chatgptVoice', digit: 2 })).toBe(
      'https://chat2.share.example/s/abc?x=1&redirect=%2Fvoice',
    )
  })

  test('with a short host, an IP address or this machine is not renumbered', () => {
    for (const host of ['share.example', '10.0.0.1', 'localhost:3000']) {
      const url = `${host.startsWith('localhost') ? 'http' : 'https'}://${host}/s/abc`
      expect(rewriteShareUrl(url, { service: 'chatgpt', digit: 4 })).toBe(url)
    }
  })

  test.each(['javascript:alert(1)', 'http://chat.share.example/', 'https://user:pw@chat.share.example/', 'data:text/html,x', '//chat', ''])(
    '%s is not opened',
    (url) => {
      expect(rewriteShareUrl(url, { service: 'chatgpt', digit: 1 })).toBeUndefined()
    },
  )
})
