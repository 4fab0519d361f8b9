import { afterEach, describe, expect, it } from 'vitest'
import { callLab, openLab, rawSocket, sleep, waitForCondition } from '../testing/lab.ts'
import type { Lab, LabOptions } from '../testing/lab.ts'
import { TEST_KEY } from '../testing/fake-deps.ts'
import { ALL_PRICES as PRICES } from '../testing/priced.ts'
import { SSE_HEAD, formatHttpChunk, formatHttpJson } from '../testing/fake-upstream.ts'
import { ANSWER_WRITERS, buildDialectRequest } from '../testing/made-answers.ts'
import type { RequestKind, MadeAnswer } from '../testing/made-answers.ts'

let lab: Lab
afterEach(() => lab.close())

const open = async (options: LabOptions): Promise<void> => {
  lab = await openLab({ ...options, model: { dialects: new Set(['openai-chat']), maxOutputTokens: 64_000, prices: PRICES } })
}
const HIDDEN: MadeAnswer = { input: 9_000, words: ['This is ', 'what is ', 'seen of it.'], hidden: 30_000 }
const SEEN: MadeAnswer = { input: 40, words: ['This is ', 'all there is.'], hidden: 0 }

describe('our own timeout: an answer that the vendor may bill is awaited, and not requested again', () => {
  const silent = (drainMs = 60, upstreamMs = 80): LabOptions => ({ limits: { upstreamMs, drainMs } })
  const post = (more: object, kind: RequestKind = 'plain') => callLab(lab, { body: { ...buildDialectRequest('openai-chat', kind), ...more } })
  const ended = async (status: number) => {
    await waitForCondition(() => lab.journal.settled.length + lab.journal.released.length === 1)
    await waitForCondition(() => lab.relay.openCalls() === 0)
    expect([lab.journal.released.length, lab.upstream.seen.length]).toEqual([0, 1])
    const settled = lab.journal.settled[0]!
    expect(settled).toMatchObject({ outcome: 'upstream_cut', status })
    return settled
  }
  const twoRoutes = (firstByteMs: number) => {
    const model = lab.models.get('m')!
    lab.models.set('m', { ...model, routes: [0, 1].map((rank) => ({ ...model.routes[0]!, rank, firstByteMs })) })
  }

  it('a whole answer may take as long as our timeout, however short the route’s', async () => {
    await open({ limits: { upstreamMs: 5_000 } })
    twoRoutes(5)
    lab.upstream.answer = async (_seen, socket) => {
      await sleep(60)
      socket.write(formatHttpJson({ usage: { prompt_tokens: 5, completion_tokens: 6 } }))
    }
    expect([(await post({ stream: false })).status, lab.upstream.seen.length]).toEqual([200, 1])
  })

  it.each([
    ['a whole answer', { stream: false }, {}],
    ['a stream of a vendor that bills after an abort', {}, { upstream: { billsAfterAbort: true } }],
  ])('%s: the client gets a 504, and the vendor’s figure is paid', async (_, more, options) => {
    await open({ ...silent(60_000), ...options })
    twoRoutes(5)
    let answer = (): void => undefined
    lab.upstream.answer = (seen, socket) => {
      const { stream } = JSON.parse(seen.body) as { stream?: boolean }
      const words = ANSWER_WRITERS['openai-chat']!(SEEN).join('')
      answer = () =>
        void socket.write(
          stream === true
            ? `${SSE_HEAD}\r\n${formatHttpChunk(words)}0\r\n\r\n`
            : formatHttpJson({ usage: { prompt_tokens: 40, completion_tokens: 7, total_tokens: 47 } }),
        )
    }
    const told = await post(more)
    expect([told.status, told.headers['x-should-retry'], JSON.parse(told.body).error.code]).toEqual([504, 'false', 'upstream_unanswered'])
    expect([lab.journal.settled, lab.journal.released]).toEqual([[], []])
    answer()
    const settled = await ended(504)
    expect(settled.provenance).toBe('upstream')
    expect(settled.amount).toBeLessThan(settled.held)
  })

  it.each([
    ['a whole answer', { stream: false }, 'plain', false, 504],
    ['a stream that thinks', {}, 'thinking', true, 200],
  ] as const)('%s that never comes costs what was held', async (_, more, kind, hasBegun, status) => {
    await open(silent(60, hasBegun ? 1_000 : 80))
    lab.upstream.answer = (_seen, socket) => {
      if (hasBegun) socket.write(`${SSE_HEAD}\r\n${formatHttpChunk(ANSWER_WRITERS['openai-chat']!(SEEN)[0]!)}`)
    }
    expect((await post(more, kind)).body).toContain('has not answered in time')
    const settled = await ended(status)
    expect(settled).toMatchObject({ provenance: 'held', amount: settled.held })
  })

  it('nothing is paid if the vendor fails after all', async () => {
    await open(silent(60_000))
    let fail = (): void => undefined
    lab.upstream.answer = (_seen, socket) => (fail = () => void socket.write(formatHttpJson({ error: { message: 'x', type: 'server_error' } }, 500)))
    expect((await post({ stream: false })).status).toBe(504)
    fail()
    await waitForCondition(() => lab.journal.released.length === 1)
    expect(lab.journal.settled).toEqual([])
  })

  it('a client that left before the timeout pays what was held', async () => {
    await open(silent())
    lab.upstream.answer = () => undefined
    const client = rawSocket(lab)
    const body = JSON.stringify({ ...buildDialectRequest('openai-chat', 'plain'), stream: false })
    client.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    await waitForCondition(() => lab.upstream.seen.length === 1)
    client.destroy()
    await waitForCondition(() => lab.journal.settled.length === 1)
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', provenance: 'held', amount: lab.journal.settled[0]!.held })
  })

  it('a stream with all output visible costs what was relayed; one whose usage arrived costs that usage', async () => {
    for (const [events, provenance] of [
      [ANSWER_WRITERS['openai-chat']!(SEEN).slice(0, 2), 'estimated'],
      [ANSWER_WRITERS['openai-chat']!(HIDDEN).slice(0, -1), 'upstream'],
    ] as const) {
      await lab?.close()
      await open(silent(60, 1_000))
      lab.upstream.answer = (_seen, socket) => {
        socket.write(`${SSE_HEAD}\r\n${formatHttpChunk(events.join(''))}`)
      }
      await post({}, provenance === 'upstream' ? 'thinking' : 'plain')
      await waitForCondition(() => lab.journal.settled.length === 1)
      expect(lab.journal.settled[0]).toMatchObject({ outcome: 'upstream_cut', provenance })
      expect(lab.journal.settled[0]!.amount).toBeLessThan(lab.journal.settled[0]!.held)
    }
  })
})
