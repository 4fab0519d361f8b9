import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConversationHead, Message } from '../../contract.ts'
import { splitLinks } from '../links.ts'
import { lastSeq, filterPending, applyToThread } from './thread.ts'
import type { Thread } from './thread.ts'

const head = (version: number): ConversationHead => ({
  id: 'conv_1',
  topic: 'general',
  orderNo: null,
  email: null,
  state: 'open',
  preview: '',
  previewFrom: 'me',
  lastAt: '2026-11-20T00:00:00.000Z',
  lastSeq: 0,
  unread: version,
  deskReadSeq: 0,
  version,
})
const message = (seq: number, clientId: string | null = null): Message => ({
  seq,
  from: 'me',
  text: `m${seq}`,
  event: null,
  detail: '',
  clientId,
  at: '2026-11-20T00:00:00.000Z',
})

test('whatever order answers arrive in, and however often, every message is there once and in order, and the head is the newest', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ version: fc.integer({ min: 1, max: 20 }), from: fc.integer({ min: 1, max: 30 }), count: fc.integer({ min: 0, max: 10 }) }), {
        minLength: 1,
        maxLength: 12,
      }),
      (replies) => {
        let thread: Thread | undefined
        for (const { version, from, count } of replies)
          thread = applyToThread(thread, {
            conversation: head(version),
            messages: Array.from({ length: count }, (_, index) => message(from + index)),
            more: false,
          })
        const expected = [...new Set(replies.flatMap(({ from, count }) => Array.from({ length: count }, (_, index) => from + index)))].sort((a, b) => a - b)
        expect(thread!.messages.map(({ seq }) => seq)).toEqual(expected)
        expect(lastSeq(thread)).toBe(expected.at(-1) ?? 0)
        expect(thread!.head.version).toBe(Math.max(...replies.map(({ version }) => version)))
      },
    ),
  )
})

test('a message on its way is drawn until the server’s own is there', () => {
  const thread = applyToThread(undefined, { conversation: head(1), messages: [message(1, 'a')], more: false })
  const on = (clientId: string, conversationId = 'conv_1') => ({ clientId, conversationId, text: '', at: 0, state: 'sending' as const })
  expect(filterPending(thread, [on('a'), on('b'), on('c', 'conv_2')], 'conv_1')).toEqual([on('b')])
  expect(filterPending(undefined, [on('a')], 'conv_1')).toEqual([on('a')])
})

describe('links', () => {
  const linked = (text: string) => splitLinks(text).flatMap(({ href, text: shown }) => (href ? [[shown, href]] : []))

  test.each([
    ['see https://example.com/a?b=1&c=2.', [['https://example.com/a?b=1&c=2', 'https://example.com/a?b=1&c=2']]],
    ['打开 https://example.com/help，再说', [['https://example.com/help', 'https://example.com/help']]],
    ['(http://example.com)', [['http://example.com', 'http://example.com/']]],
    ['javascript:alert(1) data:text/html,x vbscript:x file:///etc/passwd', []],
    ['https://user:pass@example.com', []],
    ['https://bank.example@thief.example/x', []],
    ['<a href="https://example.com/" onclick=alert(1)>', [['https://example.com/', 'https://example.com/']]],
    ['https://', []],
    ['xhttps://example.com', []],
  ])('%s', (text, expected) => {
    expect(linked(text)).toEqual(expected)
  })

  test('no character is lost or added, and every link is http or https', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.webUrl().map((url) => `a ${url}, b`),
        ),
        (text) => {
          const parts = splitLinks(text)
          expect(parts.map((part) => part.text).join('')).toBe(text)
          for (const { href } of parts) if (href) expect(href).toMatch(/^https?:\/\//)
        },
      ),
    )
  })
})
