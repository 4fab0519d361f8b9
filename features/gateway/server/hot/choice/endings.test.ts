import { afterEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, CHAT_STREAM_REQUEST, CHAT_STREAM_USAGE_REQUEST, callLab, openLab, sleep, waitForCondition } from '../testing/lab.ts'
import type { Lab, LabOptions } from '../testing/lab.ts'
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

describe('settled before the end is seen', () => {
  it.each(STREAMS)('%s: the last event waits for the settlement', async (_name, ask, sent, expected) => {
    await open()
    let settle = (): void => undefined
    lab.journal.settleWith = () =>
      new Promise((resolve) => {
        settle = resolve
      })
    lab.upstream.answer = (_seen, socket) => {
      const text = formatHttpEvents(sent, 2)
      socket.write(_name === 'gemini array' ? text.replace('text/event-stream', 'application/json') : text)
    }
    let got = ''
    const answer = callLab(lab, {
      ...ask,
      onData: (text) => {
        got = text
      },
    })
    await waitForCondition(() => lab.journal.settled.length === 1)
    await sleep(40)
    expect(got.length).toBeLessThan(expected.length)
    expect(got).not.toContain('[DONE]')
    expect(got).not.toContain('message_stop')
    expect(got).not.toContain('finishReason')
    settle()
    expect((await answer).body).toBe(expected)
  })

  it('no byte is sent before the reservation is durable', async () => {
    await open()
    let reserve = (): void => undefined
    lab.journal.reserveWith = () =>
      new Promise((resolve) => {
        reserve = resolve
      })
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(CHAT_USAGE, 9))
    }
    let got = ''
    const answer = callLab(lab, {
      body: CHAT_STREAM_REQUEST,
      onData: (text) => {
        got = text
      },
    })
    await waitForCondition(() => lab.upstream.seen.length === 1)
    await sleep(50)
    expect(got).toBe('')
    reserve()
    expect((await answer).body).toBe(CHAT_PLAIN)
    expect(lab.journal.events).toEqual(['reserve', 'reserved', 'settle', 'settled'])
  })

  it.each([[CHAT_REQUEST], [CHAT_STREAM_REQUEST]])('a failed reservation is a 503, aborts the upstream, sends nothing and returns the lease', async (body) => {
    await open()
    lab.journal.reserveWith = async () => {
      await sleep(30)
      throw new Error('database down')
    }
    lab.upstream.answer = (_seen, socket) => {
      socket.write(body === CHAT_REQUEST ? formatHttpJson({ usage: { prompt_tokens: 1, completion_tokens: 1 } }) : formatHttpEvents(CHAT_USAGE))
    }
    const answer = await callLab(lab, { body })
    expect(answer.status).toBe(503)
    await waitUntilIdle()
    expect(lab.journal.settled).toEqual([])
    expect(lab.journal.released.length).toBe(1)
  })

  it('a failed settlement withholds the end of the answer', async () => {
    await open()
    lab.journal.settleWith = () => Promise.reject(new Error('database down'))
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ usage: { prompt_tokens: 1, completion_tokens: 1 } }))
    }
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(503)
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(CHAT_USAGE))
    }
    const answer = await callLab(lab, { body: CHAT_STREAM_REQUEST })
    expect(answer.body).toContain('"error"')
    expect(answer.body).not.toContain('[DONE]')
    await waitUntilIdle()
  })

  it('drain waits for open calls and refuses new ones', async () => {
    await open()
    lab.upstream.answer = (_seen, socket) => {
      setTimeout(() => socket.write(formatHttpEvents(CHAT_USAGE)), 80)
    }
    const running = callLab(lab, { body: CHAT_STREAM_REQUEST })
    await waitForCondition(() => lab.upstream.seen.length === 1)
    const drained = lab.relay.drain(2_000)
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(503)
    await drained
    expect(lab.relay.openCalls()).toBe(0)
    expect((await running).body).toBe(CHAT_PLAIN)
  })
})

describe('a bad upstream', () => {
  it('a stream that never begins is a 504 in shape and costs nothing; one that falls silent is cut', async () => {
    await open({ limits: { upstreamMs: 150 } })
    lab.upstream.answer = () => undefined
    const answer = await callLab(lab, { path: '/v1/messages', body: CHAT_STREAM_REQUEST })
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([504, undefined])
    expect(JSON.parse(answer.body)).toMatchObject({ type: 'error', error: { type: 'timeout_error' } })
    expect(lab.journal.released[0]).toMatchObject({ outcome: 'upstream_failed', status: 504 })
    lab.upstream.answer = (_seen, socket) => {
      socket.write(`${SSE_HEAD}\r\n${formatHttpChunk(CHAT_USAGE.slice(0, 500))}`)
    }
    expect((await callLab(lab, { body: CHAT_STREAM_REQUEST })).body).toMatch(CUT_ENDINGS['chat']!)
  })

  it.each([
    ['<html>', 200],
    ['{"a":', 200],
    ['[]', 200],
    ['{"id":"a",,}', 200],
    ['{"id" "a"}', 200],
    ['', 200],
    ['<html>502</html>', 502],
    ['', 500],
    ['moved', 302],
  ])('nonsense %j with status %i becomes an error in shape, nothing charged', async (body, status) => {
    await open()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson(body, status))
    }
    const answer = await callLab(lab, { body: CHAT_REQUEST })
    expect(answer.status).toBe(502)
    expect(JSON.parse(answer.body)).toMatchObject({ error: { message: expect.any(String), type: 'server_error' } })
    await waitUntilIdle()
    expect(lab.journal.settled).toEqual([])
    expect(lab.journal.released.length).toBe(1)
  })

  it('an answer that is not HTTP is a 502', async () => {
    await open()
    lab.upstream.answer = (_seen, socket) => {
      socket.end('SSH-2.0-OpenSSH\r\n')
    }
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(502)
  })

  it.each([
    [401, 'bad key sk-ours'],
    [403, 'no'],
    [429, 'insufficient_quota'],
  ])('an error of our own account (%i) is hidden from the customer', async (status, code) => {
    await open()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ error: { message: 'x sk-ours', code } }, status))
    }
    const answer = await callLab(lab, { body: CHAT_REQUEST })
    expect(answer.body).not.toContain('sk-ours')
    expect([502, 429]).toContain(answer.status)
  })
})

describe('keepalives', () => {
  it.each([
    ['chat', { body: CHAT_STREAM_USAGE_REQUEST }, CHAT_USAGE, ': keepalive\n\n'],
    ['anthropic', { path: '/v1/messages', body: CHAT_STREAM_REQUEST }, ANTHROPIC_TRANSCRIPT, 'event: ping\ndata: {"type": "ping"}\n\n'],
    ['gemini', { path: '/v1beta/models/m:streamGenerateContent?alt=sse', body: {} }, GEMINI_TRANSCRIPT, ': keepalive\n\n'],
  ])('%s: keepalives are sent between events only', async (_name, ask, text, keepalive) => {
    await open({ limits: { keepaliveMs: 40 } })
    lab.upstream.answer = async (_seen, socket) => {
      socket.write(`${SSE_HEAD}\r\n`)
      for (let from = 0; from < text.length; from += 300) {
        socket.write(formatHttpChunk(text.slice(from, from + 300)))
        await sleep(70)
      }
      socket.write('0\r\n\r\n')
    }
    const { body } = await callLab(lab, ask)
    expect(body).toContain(keepalive)
    const plain = (all: string): string => all.replaceAll(keepalive, '')
    expect(plain(body)).toBe(plain(text))
  })
})
