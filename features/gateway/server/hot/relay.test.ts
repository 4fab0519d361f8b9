import { afterEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, CHAT_STREAM_REQUEST, CHAT_STREAM_USAGE_REQUEST, callLab, openLab } from './testing/lab.ts'
import type { LabRequest, Lab, LabOptions } from './testing/lab.ts'
import { formatHttpEvents, formatHttpJson } from './testing/fake-upstream.ts'
import { ANTHROPIC_TRANSCRIPT, CHAT_PLAIN, CHAT_USAGE, GEMINI_TRANSCRIPT, GEMINI_ARRAY_TRANSCRIPT, RESPONSES_TRANSCRIPT } from './testing/transcripts.ts'

let lab: Lab
const open = async (options?: LabOptions): Promise<Lab> => {
  lab = await openLab(options)
  return lab
}
afterEach(() => lab.close())

const STREAMS: readonly [string, LabRequest, string, string][] = [
  ['chat with include_usage', { body: CHAT_STREAM_USAGE_REQUEST }, CHAT_USAGE, CHAT_USAGE],
  ['chat without', { body: CHAT_STREAM_REQUEST }, CHAT_USAGE, CHAT_PLAIN],
  ['responses', { path: '/v1/responses', body: { model: 'm', input: 'x', stream: true } }, RESPONSES_TRANSCRIPT, RESPONSES_TRANSCRIPT],
  [
    'anthropic',
    { path: '/v1/messages?beta=true', body: { model: 'm', max_tokens: 9, messages: [], stream: true } },
    ANTHROPIC_TRANSCRIPT,
    ANTHROPIC_TRANSCRIPT,
  ],
  ['gemini sse', { path: '/v1beta/models/m:streamGenerateContent?alt=sse', body: { contents: [] } }, GEMINI_TRANSCRIPT, GEMINI_TRANSCRIPT],
]

describe('streams', () => {
  it.each(STREAMS)('%s: the same bytes and usage at every split position of the upstream', async (_name, ask, sent, expected) => {
    await open()
    for (const pieces of [1, 2, 3, 7, 50, 199]) {
      lab.upstream.answer = (_seen, socket) => {
        socket.write(formatHttpEvents(sent, pieces))
      }
      const answer = await callLab(lab, ask)
      expect(answer.body).toBe(expected)
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
      expect(lab.journal.settled.at(-1)).toMatchObject({
        outcome: 'completed',
        provenance: 'upstream',
        inputTokens: 100,
        cachedTokens: 40,
        outputTokens: 20,
        status: 200,
        stream: true,
      })
    }
    expect(lab.journal.released).toEqual([])
    expect(lab.relay.openCalls()).toBe(0)
  })

  it('gemini without alt=sse is a JSON array', async () => {
    await open()
    for (let pieces = 1; pieces < 90; pieces += 8) {
      lab.upstream.answer = (_seen, socket) => {
        socket.write(formatHttpEvents(GEMINI_ARRAY_TRANSCRIPT, pieces).replace('text/event-stream', 'application/json'))
      }
      const answer = await callLab(lab, { path: '/v1beta/models/m:streamGenerateContent', body: { contents: [] } })
      expect(answer.body).toBe(GEMINI_ARRAY_TRANSCRIPT)
      expect(lab.journal.settled.at(-1)).toMatchObject({ outcome: 'completed', provenance: 'upstream', inputTokens: 100, outputTokens: 20, reasoningTokens: 5 })
    }
  })

  it('asks for usage when the client did not, and nothing else changes in the body', async () => {
    await open()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(CHAT_USAGE))
    }
    await callLab(lab, { body: CHAT_STREAM_REQUEST })
    expect(JSON.parse(lab.upstream.seen[0]!.body)).toEqual({ ...CHAT_STREAM_REQUEST, stream_options: { include_usage: true } })
    for (const streamOptions of [null, {}, { include_usage: false }, { include_obfuscation: false }]) {
      await callLab(lab, { body: { ...CHAT_STREAM_REQUEST, stream_options: streamOptions } })
      expect(JSON.parse(lab.upstream.seen.at(-1)!.body)).toEqual({ ...CHAT_STREAM_REQUEST, stream_options: { ...streamOptions, include_usage: true } })
    }
  })

  it('relays a vendor without [DONE], without a last blank line, and with usage beside choices', async () => {
    await open()
    const text = CHAT_PLAIN.replace('data: [DONE]\n\n', '').trimEnd()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(text, 4))
    }
    expect((await callLab(lab, { body: CHAT_STREAM_REQUEST })).body).toBe(text)
    expect(lab.journal.settled[0]).toMatchObject({ outcome: 'completed', provenance: 'held' })
    const beside =
      'data: {"id":"1","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}], "usage" : {"prompt_tokens":3,"completion_tokens":1}}\n\ndata: [DONE]\n\n'
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(beside))
    }
    expect((await callLab(lab, { body: CHAT_STREAM_REQUEST })).body).toBe(
      'data: {"id":"1","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    )
    expect(lab.journal.settled[1]).toMatchObject({ provenance: 'upstream', inputTokens: 3, outputTokens: 1 })
  })

  it.each(['response.incomplete', 'response.failed'])('reads usage on %s too (new-api#7241)', async (type) => {
    await open()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(RESPONSES_TRANSCRIPT.replaceAll('response.completed', type)))
    }
    const answer = await callLab(lab, { path: '/v1/responses', body: { model: 'm', stream: true } })
    expect(answer.body).toBe(RESPONSES_TRANSCRIPT.replaceAll('response.completed', type))
    expect(lab.journal.settled[0]).toMatchObject({ provenance: 'upstream', inputTokens: 100, outputTokens: 20 })
  })

  it('of two usages the last one counts; an explicit 0 is 0', async () => {
    await open()
    const usage = (n: number): string => `data: {"id":"1","choices":[],"usage":{"prompt_tokens":${n},"completion_tokens":${n}}}\n\n`
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(`${usage(50)}${usage(7)}data: [DONE]\n\n`))
    }
    await callLab(lab, { body: CHAT_STREAM_USAGE_REQUEST })
    expect(lab.journal.settled[0]).toMatchObject({ inputTokens: 7, outputTokens: 7 })
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(`${usage(0)}data: [DONE]\n\n`))
    }
    await callLab(lab, { body: CHAT_STREAM_USAGE_REQUEST })
    expect(lab.journal.settled[1]).toMatchObject({ amount: 0n, provenance: 'upstream', lines: [] })
  })
})

describe('whole answers', () => {
  const OPENAI = {
    id: 'x',
    choices: [{ message: { content: 'hi "usage"' } }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, prompt_tokens_details: { cached_tokens: 40 } },
  }

  it('pass byte for byte, settled before the last byte', async () => {
    await open()
    const text = `{ "usage":{"prompt_tokens":1,"completion_tokens":1},\n${JSON.stringify(OPENAI).slice(1)}  `
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson(text, 200, 'x-request-id: v-1\r\nopenai-organization: org-ours\r\nset-cookie: a=b\r\nx-ratelimit-limit-requests: 5\r\n'))
    }
    const answer = await callLab(lab, { body: CHAT_REQUEST })
    expect(answer.body).toBe(text)
    expect(lab.journal.events).toEqual(['reserve', 'reserved', 'settle', 'settled'])
    expect(lab.journal.settled[0]).toMatchObject({
      inputTokens: 100,
      cachedTokens: 40,
      outputTokens: 20,
      amount: 2_000n * 60n + 200n * 40n + 8_000n * 20n,
      upstreamRequestId: 'v-1',
      priceVersion: 7,
    })
    for (const name of ['openai-organization', 'set-cookie', 'x-ratelimit-limit-requests']) expect(answer.headers).not.toHaveProperty(name)
    expect(answer.headers['x-upstream-request-id']).toBe('v-1')
    expect(answer.headers['x-request-id']).toBe(answer.headers['x-mingxi-request-id'])
  })

  it('a successor settles as itself and names the retired model that was requested', async () => {
    await open({ model: { answersFor: 'm-0' } })
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson(JSON.stringify(OPENAI)))
    }
    await callLab(lab, { body: CHAT_REQUEST })
    expect(lab.journal.reserved[0]).toMatchObject({ model: 'm', askedModel: 'm-0' })
    expect(lab.journal.settled[0]).toMatchObject({ model: 'm', askedModel: 'm-0' })
  })

  it('the request goes through byte for byte, headers too, without credentials', async () => {
    await open({ upstream: { authHeaders: ['x-api-key', 'ours'] } })
    const body = '{"model" : "m", "max_tokens":5,"stream":null, "context_management":{"édits":[1.0]},  "system":"\\u4f60"}\n'
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ usage: { input_tokens: 1, output_tokens: 1 } }))
    }
    const answer = await callLab(lab, {
      path: '/v1/messages?beta=true&key=abc',
      body,
      headers: {
        'x-api-key': 'theirs',
        'anthropic-version': '2026-10-21',
        'anthropic-beta': 'a-1,b-2',
        'cookie': 'c=1',
        'x-forwarded-for': '1.2.3.4',
        'openai-organization': 'org',
        'x-mingxi-call-id': 'forged',
        'idempotency-key': 'k',
        'x-stainless-lang': 'js',
      },
    })
    const seen = lab.upstream.seen[0]!
    expect(seen.body).toBe(body)
    expect(seen.path).toBe('/v1/messages?beta=true')
    const head = seen.head.toLowerCase()
    for (const line of [
      'anthropic-version: 2026-10-21',
      'anthropic-beta: a-1,b-2',
      'x-api-key: ours',
      'x-stainless-lang: js',
      'content-type: application/json',
    ])
      expect(head).toContain(line)
    for (const absent of ['theirs', 'authorization', 'cookie', 'x-forwarded', 'openai-organization', 'forged', 'idempotency-key', 'sk-mx'])
      expect(head).not.toContain(absent)
    expect(answer.headers['request-id']).toMatch(/^req_/)
  })

  it('replaces the alias, and every repetition of it', async () => {
    await open({ upstreamModel: 'vendor/m-2026' })
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson(OPENAI))
    }
    await callLab(lab, { body: '{"model":"cheap","x":"model","mod\\u0065l": "m" }' })
    expect(lab.upstream.seen[0]!.body).toBe('{"model":"vendor/m-2026","x":"model","mod\\u0065l": "vendor/m-2026" }')
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(CHAT_USAGE))
    }
    await callLab(lab, { body: '{"stream":true,"model":"m"}' })
    expect(lab.upstream.seen[1]!.body).toBe('{"stream_options":{"include_usage":true},"stream":true,"model":"vendor/m-2026"}')
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ usageMetadata: { promptTokenCount: 1 } }))
    }
    await callLab(lab, { path: '/v1beta/models/m:generateContent', body: {} })
    expect(lab.upstream.seen[2]!.path).toBe('/v1beta/models/vendor/m-2026:generateContent')
  })

  it('count_tokens and countTokens are free', async () => {
    await open()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ input_tokens: 12 }))
    }
    expect((await callLab(lab, { path: '/v1/messages/count_tokens?beta=true', body: { model: 'm', messages: [] } })).body).toBe('{"input_tokens":12}')
    expect((await callLab(lab, { path: '/v1beta/models/m:countTokens', body: {} })).status).toBe(200)
    expect(lab.journal.events).toEqual([])
  })

  it.each([
    ['/v1/embeddings', { usage: { prompt_tokens: 8, total_tokens: 8 } }, { model: 'm', input: 'x' }],
    ['/v1beta/models/m:embedContent', { usageMetadata: { promptTokenCount: 8 } }, {}],
    ['/v1beta/models/m:batchEmbedContents', { usageMetadata: { promptTokenCount: 8 } }, { requests: [] }],
    ['/v1/models/m:generateContent', { usageMetadata: { promptTokenCount: 8 } }, {}],
    ['/v1/v1/chat/completions/', { usage: { prompt_tokens: 8, completion_tokens: 0 } }, CHAT_REQUEST],
    ['//v1//messages', { usage: { input_tokens: 8, output_tokens: 0 } }, CHAT_REQUEST],
    ['/v1/responses', { status: 'completed', usage: { input_tokens: 8, output_tokens: 0 } }, CHAT_REQUEST],
  ])('%s is served and billed', async (path, answer, body) => {
    await open()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson(answer))
    }
    expect((await callLab(lab, { path, body })).status).toBe(200)
    expect(lab.journal.settled[0]).toMatchObject({ inputTokens: 8, amount: 16_000n })
  })
})

describe('one charge', () => {
  const good = { usage: { prompt_tokens: 1, completion_tokens: 1 } }
  it.each(['429', '500', '529', '401', 'reset', 'nonsense', 'cut'])('fails over on %s before the first byte, and charges once', async (how) => {
    await open({ failover: true })
    lab.upstream.answer = (_seen, socket) => {
      if (how === 'reset') socket.destroy()
      else if (how === 'nonsense') socket.write(formatHttpJson('<html>'))
      else if (how === 'cut') socket.end(formatHttpJson(good).slice(0, -5))
      else socket.write(formatHttpJson({ error: { message: 'no' } }, Number(how)))
    }
    lab.second.answer = (_seen, socket) => {
      socket.write(formatHttpJson(good))
    }
    expect((await callLab(lab, { body: CHAT_REQUEST })).status).toBe(200)
    expect(lab.journal.events).toEqual(['reserve', 'reserved', 'settle', 'settled'])
    const cause = Number(how) ? 'refused' : 'connection'
    const status = Number(how) || (how === 'reset' ? 0 : 200)
    expect(lab.journal.settled[0]).toMatchObject({ upstream: 'up-2', provenance: 'upstream' })
    expect(lab.journal.settled[0]!.failed).toEqual([{ upstream: 'up-1', status, cause, from: expect.any(Number), ms: expect.any(Number) }])
  })
})
