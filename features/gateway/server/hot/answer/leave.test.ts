import { afterEach, describe, expect, it } from 'vitest'
import { computeTokenCost } from '#platform/shared/money.ts'
import type { Dialect, GatewayModel, SettledCall } from '../deps.ts'
import { openLab, rawSocket, sleep, waitForCondition } from '../testing/lab.ts'
import type { Lab, LabOptions } from '../testing/lab.ts'
import { TEST_KEY } from '../testing/fake-deps.ts'
import { ALL_PRICES as PRICES } from '../testing/priced.ts'
import { SSE_HEAD, formatHttpChunk } from '../testing/fake-upstream.ts'
import { DIALECT_PATHS, ANSWER_WRITERS, buildDialectRequest, computeReadCost, formatSseData } from '../testing/made-answers.ts'
import type { RequestKind, MadeAnswer } from '../testing/made-answers.ts'
import { createUpstreamClient } from '../upstream/client.ts'

let lab: Lab
afterEach(() => lab.close())

interface Leaving {
  /** Dialects of the request and of the vendor. */
  readonly asks: string
  readonly answers: string
  readonly kind: RequestKind
  readonly made: MadeAnswer
  readonly at: number
  readonly text?: string
  readonly more?: object
  readonly options?: LabOptions
}

const open = async (leaving: Pick<Leaving, 'answers' | 'options'>): Promise<void> => {
  const model: Partial<GatewayModel> = { dialects: new Set([leaving.answers as Dialect]), maxOutputTokens: 64_000, prices: PRICES, ...leaving.options?.model }
  lab = await openLab({ ...leaving.options, model, upstream: { billsAfterAbort: leaving.answers === 'gemini-generate', ...leaving.options?.upstream } })
}

/** Disconnects after `at` events of the answer; 0 before the first. Returns whether the vendor reached its end, and the row. */
async function leave({ asks, answers, kind, made, at, text, more }: Leaving): Promise<{ readonly isWhole: boolean; readonly settled: SettledCall }> {
  const events = ANSWER_WRITERS[answers]!(made)
  let isWhole = false
  let goOn = (): void => undefined
  const left = new Promise<void>((resolve) => {
    goOn = resolve
  })
  lab.upstream.answer = async (seen, socket) => {
    if (at > 0) socket.write(`${SSE_HEAD}\r\n${formatHttpChunk(events.slice(0, at).join(''))}`)
    await left
    await sleep(20)
    if (seen.closed) return
    socket.write(`${at > 0 ? '' : `${SSE_HEAD}\r\n`}${formatHttpChunk(events.slice(at, at + 1).join(''))}`)
    await sleep(20)
    if (seen.closed) return
    socket.write(`${formatHttpChunk(events.slice(at + 1).join(''))}0\r\n\r\n`)
    isWhole = true
  }
  const before = lab.journal.settled.length + lab.journal.released.length
  const asked = lab.upstream.seen.length
  const client = rawSocket(lab)
  const body = JSON.stringify({ ...buildDialectRequest(asks, kind, text), ...more })
  client.write(
    `POST ${DIALECT_PATHS[asks]} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  // A translated answer may not show the event yet.
  let got = ''
  client.on('data', (data) => (got += data.toString()))
  await waitForCondition(() => lab.upstream.seen.length > asked)
  if (at > 0 && asks === answers) await waitForCondition(() => got.includes('\r\n\r\n'))
  await sleep(20)
  client.destroy()
  goOn()
  await waitForCondition(() => lab.relay.openCalls() === 0)
  expect(lab.journal.settled.length + lab.journal.released.length).toBe(before + 1)
  return { isWhole, settled: lab.journal.settled.at(-1)! }
}

const DIALECTS = Object.keys(ANSWER_WRITERS)
const HIDDEN: MadeAnswer = { input: 9_000, words: ['This is ', 'what is ', 'seen of it.'], hidden: 30_000 }
const SEEN: MadeAnswer = { input: 40, words: ['This is ', 'all there is.'], hidden: 0 }

describe('a call with hidden output is read to its end and billed to the token', () => {
  const kinds: readonly RequestKind[] = ['thinking', 'media', 'tools']
  const cases = DIALECTS.flatMap((dialect) => kinds.filter((kind) => kind !== 'media' || dialect !== 'gemini-generate').map((kind) => [dialect, kind] as const))
  it.each(cases)('%s, %s: the client leaves at every event', async (dialect, kind) => {
    await open({ answers: dialect })
    for (let at = 0; at < ANSWER_WRITERS[dialect]!(HIDDEN).length; at++) {
      const { settled } = await leave({ asks: dialect, answers: dialect, kind, made: HIDDEN, at })
      expect([at, settled.provenance, settled.amount]).toEqual([at, 'upstream', computeReadCost(HIDDEN)])
    }
  })

  it.each([
    ['openai-chat', 'anthropic-messages', 'tools'],
    ['anthropic-messages', 'openai-responses', 'tools'],
    ['openai-responses', 'gemini-generate', 'thinking'],
    ['gemini-generate', 'openai-chat', 'tools'],
  ] as const)('translated, %s to %s, %s', async (asks, answers, kind) => {
    await open({ answers })
    for (const at of [0, 1, 3]) {
      const { isWhole, settled } = await leave({ asks, answers, kind, made: HIDDEN, at })
      expect([at, isWhole, settled.provenance, settled.amount]).toEqual([at, true, 'upstream', computeReadCost(HIDDEN)])
    }
  })

  it.each([
    ['a model that reasons', 'openai-chat', { capabilities: ['thinking'] }],
    ['a model that always reasons', 'anthropic-messages', { traits: new Set(['always-thinks'] as const) }],
    ['a model that reasons by default', 'anthropic-messages', { traits: new Set(['thinks-unless-told'] as const) }],
    ['Gemini, which bills to the end', 'gemini-generate', {}],
  ])('%s, though no reasoning shows and none was requested', async (_name, dialect, model) => {
    await open({ answers: dialect, options: { model } })
    expect(await leave({ asks: dialect, answers: dialect, kind: 'plain', made: HIDDEN, at: 2 })).toMatchObject({
      isWhole: true,
      settled: { provenance: 'upstream', amount: computeReadCost(HIDDEN) },
    })
  })
})

describe('a call whose output is all visible is aborted, and costs what was relayed', () => {
  it.each(['openai-chat', 'openai-responses', 'anthropic-messages'])(
    '%s: at every event it costs no less than staying for as much, and at most the hold',
    async (dialect) => {
      await open({ answers: dialect })
      const events = ANSWER_WRITERS[dialect]!(SEEN)
      const words = events.findIndex((event) => event.includes('This is'))
      for (let at = 0; at < words + SEEN.words.length; at++) {
        const { isWhole, settled } = await leave({ asks: dialect, answers: dialect, kind: 'plain', made: SEEN, at })
        expect([at, isWhole]).toEqual([at, false])
        expect(['estimated', 'upstream_partial']).toContain(settled.provenance)
        const relayed = { ...SEEN, words: SEEN.words.slice(0, Math.max(0, at - words)) }
        expect(settled.amount).toBeGreaterThanOrEqual(computeReadCost({ ...relayed, input: dialect === 'anthropic-messages' ? SEEN.input : 6 }))
        expect(settled.amount).toBeLessThanOrEqual(settled.held)
      }
    },
  )

  it.each([
    ['openai-chat', { reasoning_effort: 'none' }],
    ['openai-responses', { reasoning: { effort: 'none' }, tools: [] }],
    ['anthropic-messages', { thinking: { type: 'disabled' } }],
  ] as const)('%s: a reasoning model with reasoning turned off is aborted too', async (dialect, more) => {
    await open({ answers: dialect, options: { model: { capabilities: ['thinking'], traits: new Set(['thinks-unless-told']) } } })
    const left = await leave({ asks: dialect, answers: dialect, kind: 'plain', made: SEEN, at: 3, more })
    expect([left.isWhole, left.settled.provenance]).toEqual([false, 'estimated'])
  })

  it.each([
    { service_tier: 'priority' },
    { prediction: { type: 'content', content: 'x' } },
    { prompt_cache_options: { ttl: '12h' } },
    { modalities: ['text', 'audio'] },
    { something_new: 1 },
    { messages: [[[[[[[[['deep']]]]]]]]] },
  ])('a call with a member of hidden cost is not aborted: %o', async (more) => {
    await open({ answers: 'openai-chat' })
    expect((await leave({ asks: 'openai-chat', answers: 'openai-chat', kind: 'plain', made: HIDDEN, at: 2, more })).settled.provenance).toBe('upstream')
  })

  it('the input is owed once the request is sent: 500 KB left before the first byte', async () => {
    await open({ answers: 'openai-chat' })
    const made = { ...SEEN, input: 120_000 }
    const text = 'These are words of a very long prompt. '.repeat(13_000)
    const { settled } = await leave({ asks: 'openai-chat', answers: 'openai-chat', kind: 'plain', made, at: 0, text })
    expect(settled.amount).toBeGreaterThanOrEqual(computeTokenCost(made.input, PRICES.input))
  })

  it('no input is owed while the call waits for a connection', async () => {
    const client = createUpstreamClient({ connections: 1 })
    await open({ answers: 'openai-chat', options: { upstream: { client } } })
    lab.upstream.answer = () => undefined
    const body = JSON.stringify(buildDialectRequest('openai-chat', 'plain'))
    const clients = [rawSocket(lab), rawSocket(lab)]
    for (const [n, one] of clients.entries()) {
      one.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
      await waitForCondition(() => lab.journal.reserved.length > n && lab.upstream.seen.length > 0)
    }
    clients[1]!.destroy()
    await waitForCondition(() => lab.journal.released.length === 1)
    expect(lab.journal.settled).toEqual([])
    clients[0]!.destroy()
    await waitForCondition(() => lab.journal.settled.length === 1)
  })

  it('an Anthropic stream is read until it reports its input, and no further', async () => {
    await open({ answers: 'anthropic-messages' })
    const { isWhole, settled } = await leave({ asks: 'anthropic-messages', answers: 'anthropic-messages', kind: 'plain', made: SEEN, at: 0 })
    expect([isWhole, settled.inputTokens]).toEqual([false, SEEN.input])
  })
})

describe('estimates are checked', () => {
  const plain = { asks: 'openai-chat', answers: 'openai-chat', kind: 'plain', at: 1 } as const

  it('a fifth of the estimates are compared with the bill; one that falls short ends estimates for the account, durably', async () => {
    const chances = [0.9, 0.1]
    await open({ answers: 'openai-chat', options: { random: () => chances.shift() ?? 0.9 } })
    // The vendor counts three times the tokens that the text suggests.
    const made: MadeAnswer = { input: 40, words: ['a', 'b', 'c', 'd'], hidden: 200 }
    expect((await leave({ ...plain, made })).settled.provenance).toBe('estimated')
    expect((await leave({ ...plain, made })).settled).toMatchObject({ provenance: 'upstream', amount: computeReadCost(made) })
    expect(lab.short).toEqual([1n])
    for (let round = 0; round < 3; round++)
      expect((await leave({ ...plain, made })).settled).toMatchObject({ provenance: 'upstream', amount: computeReadCost(made) })
    expect(lab.short).toEqual([1n])
  })

  it('a fifth of a cent may be estimated unchecked, and more after checks that held', async () => {
    await open({ answers: 'openai-chat' })
    const made: MadeAnswer = { input: 600, words: ['word '.repeat(80), 'and ', 'more'], hidden: 0 }
    const text = 'A prompt of some length. '.repeat(90)
    const rows: string[] = []
    for (let round = 0; round < 6; round++) rows.push((await leave({ ...plain, made, text })).settled.provenance)
    expect(rows).toEqual(['upstream', 'estimated', 'estimated', 'estimated', 'estimated', 'upstream'])
    expect(lab.short).toEqual([])
  })
})

describe('limits of draining a call', () => {
  it('a drain that exceeds its time is charged what was held, on one line', async () => {
    await open({ answers: 'openai-chat', options: { limits: { drainMs: 120 } } })
    lab.upstream.answer = (_seen, socket) => {
      socket.write(`${SSE_HEAD}\r\n${formatHttpChunk(ANSWER_WRITERS['openai-chat']!(SEEN)[0]!)}`)
    }
    const client = rawSocket(lab)
    const body = JSON.stringify(buildDialectRequest('openai-chat', 'tools'))
    client.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    client.once('data', () => client.destroy())
    await waitForCondition(() => lab.journal.settled.length === 1)
    const settled = lab.journal.settled[0]!
    expect(settled).toMatchObject({ outcome: 'client_gone', provenance: 'held', amount: settled.held })
    expect(settled.lines).toEqual([{ kind: 'call', tokens: 1, unitPrice: settled.held * 1_000_000n, amount: settled.held }])
    await waitForCondition(() => lab.upstream.seen[0]!.closed)
  })

  it('an estimate that fills the hold does not end the drain: the vendor’s lower figure is awaited', async () => {
    const options: LabOptions = { limits: { keepaliveMs: 40 } }
    await open({ answers: 'openai-chat', options })
    const made: MadeAnswer = { input: 40, words: ['more words than tokens are counted '.repeat(400), 'and ', 'more'], hidden: 0 }
    const { isWhole, settled } = await leave({ asks: 'openai-chat', answers: 'openai-chat', kind: 'thinking', made, at: 2, more: { max_tokens: 20 }, options })
    expect([isWhole, settled.provenance, settled.amount]).toEqual([true, 'upstream', computeReadCost(made)])
  })

  it('a restart is no cheaper: a client that left before it pays what was held', async () => {
    await open({ answers: 'openai-chat' })
    lab.upstream.answer = () => undefined
    const client = rawSocket(lab)
    const body = JSON.stringify(buildDialectRequest('openai-chat', 'thinking'))
    client.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    await waitForCondition(() => lab.upstream.seen.length === 1)
    client.destroy()
    await sleep(40)
    await lab.relay.drain(30)
    expect(lab.journal.settled[0]).toMatchObject({ provenance: 'held', amount: lab.journal.settled[0]!.held })
    expect(lab.relay.openCalls()).toBe(0)
  })

  it('a client cut off by a restart pays at most for what was relayed', async () => {
    await open({ answers: 'openai-chat' })
    lab.upstream.answer = (seen, socket) => {
      if (seen.body.includes('first')) return
      socket.write(`${SSE_HEAD}\r\n${formatHttpChunk(ANSWER_WRITERS['openai-chat']!(SEEN)[0]!)}`)
    }
    let seen = 0
    for (const text of ['first', 'second']) {
      const client = rawSocket(lab)
      client.on('data', () => seen++)
      const body = JSON.stringify(buildDialectRequest('openai-chat', 'thinking', text))
      client.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    }
    await waitForCondition(() => seen > 0 && lab.upstream.seen.length === 2)
    await lab.relay.drain(30)
    expect(lab.journal.released).toHaveLength(1)
    expect(lab.journal.settled).toHaveLength(1)
    expect(lab.journal.settled[0]).toMatchObject({ provenance: 'estimated', outcome: 'upstream_cut' })
    expect(lab.journal.settled[0]!.amount).toBeLessThan(lab.journal.settled[0]!.held)
  })
})

describe('a client that does not read', () => {
  it('pays what was held if the vendor gives up meanwhile: the unread answer was made', async () => {
    await open({ answers: 'openai-chat', options: { limits: { slowReaderMs: 150 } } })
    const event = formatSseData({ id: 'c', choices: [{ index: 0, delta: { content: 'x'.repeat(60_000) }, finish_reason: null }] })
    lab.upstream.answer = async (seen, socket) => {
      socket.write(`${SSE_HEAD}\r\n`)
      // Larger than all buffers between here and the client.
      for (let n = 0; n < 600 && !seen.closed; n++)
        if (!socket.write(formatHttpChunk(event)))
          await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), new Promise((resolve) => socket.once('close', resolve))])
      socket.destroy()
    }
    const client = rawSocket(lab)
    client.pause()
    const body = JSON.stringify(buildDialectRequest('openai-chat', 'thinking'))
    client.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    await waitForCondition(() => lab.journal.settled.length === 1)
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', provenance: 'held', amount: lab.journal.settled[0]!.held })
    client.destroy()
    await waitForCondition(() => lab.relay.openCalls() === 0)
  })
})
