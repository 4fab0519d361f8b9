import { afterEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, CHAT_STREAM_REQUEST, CHAT_STREAM_USAGE_REQUEST, callLab, openLab, rawSocket, sleep, waitForCondition } from '../testing/lab.ts'
import type { LabRequest, Lab, LabOptions } from '../testing/lab.ts'
import { DRAIN_KEY, TEST_KEY } from '../testing/fake-deps.ts'
import { SSE_HEAD, formatHttpChunk, formatHttpEvents, formatHttpJson } from '../testing/fake-upstream.ts'
import { ANTHROPIC_TRANSCRIPT, CHAT_PLAIN, CHAT_USAGE, GEMINI_TRANSCRIPT } from '../testing/transcripts.ts'
import { CUT_ENDINGS, STREAMS } from '../testing/streams.ts'

let lab: Lab
const open = async (options?: LabOptions): Promise<Lab> => {
  lab = await openLab(options)
  return lab
}
afterEach(() => lab.close())

const waitUntilIdle = (): Promise<void> => waitForCondition(() => lab.relay.openCalls() === 0)

describe('the upstream is cut at every byte', () => {
  it.each(STREAMS)(
    '%s: the answer never looks complete, is recorded once and costs at most the hold',
    async (name, ask, sent, expected) => {
      await open()
      const bytes = Buffer.from(sent)
      for (let k = 0; k < bytes.length; k += k % 5 === 0 ? 1 : 2) {
        lab.upstream.answer = (_seen, socket) => {
          const head = name === 'gemini array' ? SSE_HEAD.replace('text/event-stream', 'application/json') : SSE_HEAD
          socket.write(`${head}\r\n`)
          if (k > 0) socket.write(Buffer.concat([Buffer.from(`${k.toString(16)}\r\n`), bytes.subarray(0, k), Buffer.from('\r\n')]))
          socket.end()
        }
        const before = lab.journal.settled.length + lab.journal.released.length
        const answer = await callLab(lab, ask)
        await waitUntilIdle()
        expect(lab.journal.settled.length + lab.journal.released.length).toBe(before + 1)
        const isWhole = answer.body === expected
        if (isWhole) {
          expect(k).toBeGreaterThan(bytes.length - 16)
          continue
        }
        if (answer.status !== 200) {
          expect(answer.status).toBe(502)
          expect(lab.journal.released.length).toBeGreaterThan(0)
          continue
        }
        expect(answer.body).toMatch(CUT_ENDINGS[name]!)
        const relayed = answer.body.replace(CUT_ENDINGS[name]!, '').replace(/(,\n|\[)$/, '')
        expect(expected.startsWith(relayed)).toBe(true)
        for (const settled of lab.journal.settled.slice(-1)) expect(settled.amount).toBeLessThanOrEqual(settled.held)
      }
      if (name === 'gemini array') {
        const texts = lab.journal.settled.map((one) => one.outcome)
        expect(texts).toContain('upstream_cut')
      }
    },
    60_000,
  )

  it('charges what was relayed: nothing before text, estimated after', async () => {
    await open()
    const events = CHAT_USAGE.split('\n\n').map((event) => `${event}\n\n`)
    for (const [n, charged] of [
      [1, false],
      [2, true],
      [3, true],
    ] as const) {
      lab.upstream.answer = (_seen, socket) => {
        socket.end(`${SSE_HEAD}\r\n${formatHttpChunk(events.slice(0, n).join(''))}`)
      }
      await callLab(lab, { body: CHAT_STREAM_USAGE_REQUEST })
      await waitUntilIdle()
      if (charged) expect(lab.journal.settled.at(-1)).toMatchObject({ outcome: 'upstream_cut', provenance: 'estimated' })
      else expect(lab.journal.released.at(-1)).toMatchObject({ outcome: 'upstream_cut' })
    }
  })

  it.each([
    ['events', 3],
    ['events', 900],
    ['array', 3],
    ['array', 900],
  ] as const)('as %s, %i parts: every part that was relayed is counted', async (form, parts) => {
    await open()
    const element = `{"candidates": [{"content": {"parts": [{"text": "${'four'.repeat(10)}"}],"role": "model"},"index": 0}]}`
    const isArray = form === 'array'
    const pieces = Array.from({ length: parts }, (_, i) => (isArray ? `${i === 0 ? '[' : '\n,\r\n'}${element}` : `data: ${element}\r\n\r\n`))
    lab.upstream.answer = (_seen, socket) => {
      socket.write(`${isArray ? SSE_HEAD.replace('text/event-stream', 'application/json') : SSE_HEAD}\r\n`)
      socket.end(pieces.map((piece) => formatHttpChunk(piece)).join(''))
    }
    await callLab(lab, { path: `/v1beta/models/m:streamGenerateContent${isArray ? '' : '?alt=sse'}`, body: { generationConfig: { maxOutputTokens: 20_000 } } })
    await waitUntilIdle()
    expect(lab.journal.settled.at(-1)).toMatchObject({ outcome: 'upstream_cut', provenance: 'estimated', outputTokens: parts * 10 })
  })

  it('charges no more than was held for what was relayed, however much the upstream made', async () => {
    await open()
    const words = JSON.stringify({ choices: [{ index: 0, delta: { content: 'word '.repeat(2_000) } }] })
    lab.upstream.answer = (_seen, socket) => {
      socket.end(`${SSE_HEAD}\r\n${formatHttpChunk(`data: ${words}\n\n`).repeat(20)}`)
    }
    await callLab(lab, { body: { ...CHAT_STREAM_REQUEST, max_tokens: 5 } })
    await waitUntilIdle()
    const settled = lab.journal.settled[0]!
    expect(settled).toMatchObject({ outcome: 'upstream_cut', provenance: 'estimated' })
    expect(settled.amount).toBeLessThanOrEqual(settled.held)
    expect(settled.held - settled.amount).toBeLessThan(settled.held / 100n)
  })

  it('a mid-stream error of the vendor passes as it is', async () => {
    await open()
    const text = `${CHAT_PLAIN.split('\n\n')[0]}\n\ndata: {"error":{"message":"overloaded","type":"server_error"}}\n\n`
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(text, 3))
    }
    expect((await callLab(lab, { body: CHAT_STREAM_REQUEST })).body).toBe(text)
    expect(lab.journal.released[0]).toMatchObject({ outcome: 'upstream_failed' })
    const anthropic = `${ANTHROPIC_TRANSCRIPT.split('event: content_block_stop')[0]}event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n`
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(anthropic, 3))
    }
    expect((await callLab(lab, { path: '/v1/messages', body: CHAT_STREAM_REQUEST })).body).toBe(anthropic)
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'upstream_failed', provenance: 'estimated', inputTokens: 100 })
  })
})

describe('the client leaves', () => {
  /** Sends events one by one; the client disconnects after n of them. */
  async function leaveAfter(ask: LabRequest, text: string, n: number): Promise<{ upstreamClosed: boolean }> {
    const events = text.split(/(?<=\n\n|\r\n\r\n)/)
    let finished = false
    lab.upstream.answer = async (seen, socket) => {
      socket.write(`${SSE_HEAD}\r\n`)
      for (const event of events) {
        if (seen.closed) return
        socket.write(formatHttpChunk(event))
        await sleep(8)
      }
      socket.write('0\r\n\r\n')
      finished = true
    }
    const seen = lab.upstream.seen.length
    const socket = rawSocket(lab)
    const body = JSON.stringify(ask.body)
    socket.write(
      `POST ${ask.path ?? '/v1/chat/completions'} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ask.headers?.['authorization'] ?? TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    let got = ''
    socket.on('data', (data) => {
      got += data.toString()
      if (n > 0 && (got.match(/\n\n|}\r\n\r\n/g) ?? []).length >= n) socket.destroy()
    })
    if (n === 0) {
      await waitForCondition(() => lab.upstream.seen.length > seen)
      socket.destroy()
    }
    await waitForCondition(() => socket.destroyed)
    await waitUntilIdle()
    await waitForCondition(() => finished || lab.upstream.seen.at(-1)!.closed)
    return { upstreamClosed: !finished }
  }

  it('chat with visible text: the upstream is left, the relayed part is charged, marked estimated', async () => {
    await open()
    const { upstreamClosed } = await leaveAfter({ body: CHAT_STREAM_REQUEST }, CHAT_USAGE, 2)
    expect(upstreamClosed).toBe(true)
    const settled = lab.journal.settled[0]!
    expect(settled).toMatchObject({ outcome: 'client_gone', provenance: 'estimated', status: 499 })
    expect(settled.outputTokens).toBeGreaterThan(3)
    expect(settled.outputTokens).toBeLessThan(20)
    expect(settled.amount).toBeLessThanOrEqual(settled.held)
  })

  it('chat before any text: the upstream is left, and the input is owed', async () => {
    await open()
    expect((await leaveAfter({ body: CHAT_STREAM_REQUEST }, CHAT_USAGE, 1)).upstreamClosed).toBe(true)
    const settled = lab.journal.settled[0]!
    expect(settled).toMatchObject({ outcome: 'client_gone', provenance: 'estimated' })
    expect(settled.inputTokens).toBeGreaterThan(20)
  })

  it('anthropic with visible text: input exact, output estimated', async () => {
    await open()
    expect((await leaveAfter({ path: '/v1/messages', body: CHAT_STREAM_REQUEST }, ANTHROPIC_TRANSCRIPT, 4)).upstreamClosed).toBe(true)
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', inputTokens: 100, cachedTokens: 40, provenance: 'estimated' })
  })

  it('an upstream that bills after an abort is drained and billed in full', async () => {
    await open({ upstream: { billsAfterAbort: true } })
    expect((await leaveAfter({ path: '/v1beta/models/m:streamGenerateContent?alt=sse', body: {} }, GEMINI_TRANSCRIPT, 1)).upstreamClosed).toBe(false)
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', provenance: 'upstream', outputTokens: 20 })
  })

  it('a call of a key set to drain is drained', async () => {
    await open()
    expect((await leaveAfter({ body: CHAT_STREAM_REQUEST, headers: { authorization: DRAIN_KEY } }, CHAT_USAGE, 3)).upstreamClosed).toBe(false)
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', provenance: 'upstream', outputTokens: 20 })
  })

  it('a call with tools is drained for a limited time, then charged what was held', async () => {
    const drainMs = 300
    await open({ limits: { drainMs } })
    const tool =
      'data: {"id":"1","choices":[{"index":0,"delta":{"content":"I look","tool_calls":[{"index":0,"function":{"name":"f","arguments":"{"}}]},"finish_reason":null}]}\n\n'
    lab.upstream.answer = (_seen, socket) => {
      socket.write(`${SSE_HEAD}\r\n${formatHttpChunk(tool)}`)
    }
    const tools = [{ type: 'function', function: { name: 'f' } }]
    const from = Date.now()
    await callLab(lab, { body: { ...CHAT_STREAM_REQUEST, tools }, onData: (_text, res) => res.destroy() })
    await waitForCondition(() => lab.journal.settled.length === 1)
    expect(Date.now() - from).toBeGreaterThanOrEqual(drainMs)
    await waitUntilIdle()
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', provenance: 'held' })
    await waitForCondition(() => lab.upstream.seen[0]!.closed)
  })

  it.each(STREAMS.slice(0, 5))('%s: at every event there is exactly one record, within the hold', async (_name, ask, sent) => {
    await open()
    const events = sent.split(/(?<=\n\n|\r\n\r\n)/).length
    for (let n = 0; n < events; n++) {
      const before = lab.journal.settled.length + lab.journal.released.length
      await leaveAfter(ask, sent, n)
      expect(lab.journal.settled.length + lab.journal.released.length).toBe(before + 1)
      for (const settled of lab.journal.settled.slice(-1)) expect(settled.amount).toBeLessThanOrEqual(settled.held)
    }
  })

  it('a whole answer is read on and billed', async () => {
    await open()
    lab.upstream.answer = (_seen, socket) => {
      setTimeout(() => socket.write(formatHttpJson({ usage: { prompt_tokens: 5, completion_tokens: 6 } })), 60)
    }
    const socket = rawSocket(lab)
    const body = JSON.stringify(CHAT_REQUEST)
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    await waitForCondition(() => lab.upstream.seen.length === 1)
    socket.destroy()
    await waitForCondition(() => lab.journal.settled.length === 1)
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', provenance: 'upstream', inputTokens: 5, outputTokens: 6 })
    await waitUntilIdle()
  })

  it('a client that never reads counts as gone after the limit', async () => {
    await open({ limits: { slowReaderMs: 150, drainMs: 300 } })
    const event = `data: {"id":"1","choices":[{"index":0,"delta":{"content":"${'x'.repeat(60_000)}"},"finish_reason":null}]}\n\n`
    lab.upstream.answer = async (seen, socket) => {
      socket.write(`${SSE_HEAD}\r\n`)
      while (!seen.closed) {
        if (!socket.write(formatHttpChunk(event)))
          await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), new Promise((resolve) => socket.once('close', resolve))])
      }
    }
    const socket = rawSocket(lab)
    socket.pause()
    const body = JSON.stringify(CHAT_STREAM_REQUEST)
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    await waitForCondition(() => lab.journal.settled.length === 1)
    await waitForCondition(() => lab.upstream.seen[0]!.closed)
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'client_gone', provenance: 'held' })
    socket.destroy()
    await waitUntilIdle()
  })
})
