import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModelStandIn, type RunningModelStandIn } from '#stand-ins/models/test-server.ts'
import type { Entry } from '#stand-ins/models/book/book.ts'
import { collectCallEnds } from './exchange.ts'
import { startRelayUnderTest, type CallEnd, type GatewayUnderTest } from './gateway.ts'
import { collectAll } from './samples.ts'

/** Images, audio, moderation, reranking and the legacy route, with the vendor's own SDK; charged against the sandbox's own book. */
let gateway: GatewayUnderTest
let box: RunningModelStandIn
let client: OpenAI
beforeAll(async () => {
  gateway = await startRelayUnderTest()
  box = await startModelStandIn()
  client = new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 })
})
afterAll(async () => {
  await gateway.stop()
  await box.stop()
})
beforeEach(async () => {
  const { origin, pathname } = new URL(box.url)
  await gateway.pointAt(origin, pathname)
  await gateway.forget()
})

/** The only call since the last `forget`, in both books. */
async function takeBothEnds(): Promise<{ end: CallEnd; entry: Entry }> {
  const [end, ...more] = await collectCallEnds(gateway)
  expect(more).toEqual([])
  const entry = await box.closed(end!.callId)
  await gateway.forget()
  return { end: end!, entry }
}

/** The book's amount in nano-dollars at the prices of `gateway.ts`, each line rounded up. */
function computeBilled({ model, billed }: Entry): bigint {
  const up = (units: number, price: bigint) => (BigInt(units) * price + 999_999n) / 1_000_000n
  const { input, output, imageInput = 0, characters = 0, seconds = 0, searches = 0 } = billed
  const isImage = model.includes('image')
  return [
    model.startsWith('rerank-v4') || model.startsWith('tts') ? 0n : up(input - imageInput, 1_000_000_000n),
    up(imageInput, 8_000_000_000n),
    up(output, isImage ? 30_000_000_000n : model.endsWith('-tts') ? 12_000_000_000n : 5_000_000_000n),
    up(characters, 15_000_000_000n),
    up(seconds, 100_000_000_000n),
    up(searches, 2_500_000_000_000n),
  ].reduce((sum, amount) => sum + amount, 0n)
}

async function expectBilled(provenance: string): Promise<CallEnd> {
  const { end, entry } = await takeBothEnds()
  expect(end).toMatchObject({ how: 'settled', outcome: 'completed', settled: { provenance } })
  // Audio input is one class here and two lines there: the prices are equal, but each line is rounded.
  const difference = end.settled!.amount - computeBilled(entry)
  expect(difference >= 0n && difference <= 1n).toBe(true)
  expect(end.settled!.amount).toBe(end.settled!.lines.reduce((sum, line) => sum + line.amount, 0n))
  expect(end.settled!.amount <= end.settled!.held).toBe(true)
  return end
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const isPng = (base64: string | undefined) =>
  Buffer.from(base64 ?? '', 'base64')
    .subarray(0, 8)
    .equals(PNG)
const speech = (input: string, more: Partial<OpenAI.Audio.SpeechCreateParams> = {}) =>
  client.audio.speech.create({ model: 'tts-1', voice: 'ash', response_format: 'wav', input, ...more })
const recording = async (text: string, name = 'note.wav') => {
  const sound = await speech(text)
  const file = await toFile(Buffer.from(await sound.arrayBuffer()), name)
  await takeBothEnds()
  return file
}

describe('images', () => {
  test('generate: n pictures of the size asked for, charged by their tokens', async () => {
    const answer = await client.images.generate({ model: 'gpt-image-2.6-flare', prompt: 'a blue ledger', n: 2, size: '512x512', quality: 'low' })
    expect(answer.data!.every((image) => isPng(image.b64_json))).toBe(true)
    expect(answer.data).toHaveLength(2)
    const end = await expectBilled('upstream')
    expect(end.settled!.lines.map((line) => line.kind)).toEqual(['input', 'imageOutput'])
    expect(end.settled!.lines[1]!.tokens).toBe(answer.usage!.output_tokens)
  })

  test('generate, streamed: previews, then each picture; their usage adds up', async () => {
    const events = await collectAll(
      await client.images.generate({ model: 'gpt-image-2.6-flare', prompt: 'two', n: 2, quality: 'low', size: '256x256', stream: true, partial_images: 2 }),
    )
    expect(events.map((event) => event.type.split('.')[1])).toEqual([
      'partial_image',
      'partial_image',
      'completed',
      'partial_image',
      'partial_image',
      'completed',
    ])
    await expectBilled('upstream')
  })

  test('edit: a form with two pictures and a mask', async () => {
    const image = async (name: string) => toFile(Buffer.concat([PNG, Buffer.from(name)]), name, { type: 'image/png' })
    const answer = await client.images.edit({
      model: 'gpt-image-2',
      image: [await image('a.png'), await image('b.png')],
      mask: await image('m.png'),
      prompt: 'more red',
      size: '256x256',
      quality: 'low',
    })
    expect(isPng(answer.data![0]!.b64_json)).toBe(true)
    const end = await expectBilled('upstream')
    expect(end.settled!.lines.map((line) => [line.kind, line.tokens])).toContainEqual(['imageInput', 3_000])
    expect(end.settled!.dialect).toBe('openai-image-edits')
  })

  test('edit as JSON and streamed', async () => {
    const body = { model: 'gpt-image-2', images: [{ image_url: 'data:image/png;base64,AAAA' }], prompt: 'less', stream: true, size: '256x256', quality: 'low' }
    const answer = await fetch(`${gateway.baseUrl}/v1/images/edits`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(await answer.text()).toContain('event: image_edit.completed')
    await expectBilled('upstream')
  })
})

describe('speech', () => {
  test.each(['wav', 'pcm', 'mp3'] as const)('%s: sound as it comes, charged by the character', async (format) => {
    const answer = await speech('你好，账本。', { response_format: format })
    expect(answer.headers.get('content-type')).toMatch(/^audio\//)
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(3_000)
    const end = await expectBilled('counted')
    expect(end.settled!.lines).toEqual([{ kind: 'characters', tokens: 6, unitPrice: 15_000_000_000n, amount: 90_000n }])
  })

  test('as events: usage at their end', async () => {
    const answer = await speech('Twenty-four dollars.', { model: 'gpt-4o-mini-tts', stream_format: 'sse' })
    const text = await answer.text()
    expect(text).toContain('"type":"speech.audio.delta"')
    expect(text.trimEnd().split('\n').at(-1)).toContain('speech.audio.done')
    await expectBilled('upstream')
  })

  test.each(['wav', 'mp3', 'pcm'] as const)('%s without usage: estimated from the length of what was spoken, below the hold', async (format) => {
    const answer = await speech('Nothing is said about usage here.', { model: 'gpt-4o-mini-tts', response_format: format })
    await answer.arrayBuffer()
    const { end, entry } = await takeBothEnds()
    expect(end.settled).toMatchObject({ provenance: 'estimated', outcome: 'completed' })
    const spoken = end.settled!.lines.find((line) => line.kind === 'audioOutput')!.tokens
    expect(spoken / entry.billed.output).toBeGreaterThan(0.9)
    expect(spoken / entry.billed.output).toBeLessThan(1.3)
    expect(end.settled!.amount <= end.settled!.held).toBe(true)
  })

  test('a client that leaves: the vendor has spoken it all, and bills it all', async () => {
    const leave = new AbortController()
    const answer = await client.audio.speech.create(
      { model: 'tts-1', voice: 'ash', response_format: 'wav', input: 'Hang on [[sandbox:chunk=30]]'.padEnd(60, '.') },
      { signal: leave.signal },
    )
    const reader = answer.body!.getReader()
    await reader.read()
    leave.abort()
    const { end, entry } = await takeBothEnds()
    expect(end).toMatchObject({ outcome: 'client_gone', settled: { provenance: 'counted' } })
    expect(end.settled!.amount).toBe(computeBilled(entry))
  })
})

describe('transcriptions and translations', () => {
  test.each(['gpt-transcribe', 'gpt-4o-transcribe'])('%s: what was spoken is written down', async (model) => {
    const answer = await client.audio.transcriptions.create({ model, file: await recording('一共二十四美元。') })
    expect(answer.text).toBe('一共二十四美元。')
    await expectBilled('upstream')
  })

  test('streamed', async () => {
    const events = await collectAll(
      await client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await recording('one two three four five six'), stream: true }),
    )
    expect(events.at(-1)!.type).toBe('transcript.text.done')
    expect(events.flatMap((event) => (event.type === 'transcript.text.delta' ? [event.delta] : [])).join('')).toBe('one two three four five six')
    await expectBilled('upstream')
  })

  test.each(['text', 'srt', 'vtt'] as const)('%s: no usage in it; seconds from the file itself', async (format) => {
    const answer = await client.audio.transcriptions.create({ model: 'whisper-1', file: await recording('plain'), response_format: format })
    expect(String(answer)).toContain('plain')
    const end = await expectBilled('counted')
    expect(end.settled!.lines).toEqual([{ kind: 'seconds', tokens: 1, unitPrice: 100_000_000_000n, amount: 100_000n }])
  })

  test('verbose, and into English', async () => {
    const verbose = await client.audio.transcriptions.create({ model: 'whisper-1', file: await recording('long enough'), response_format: 'verbose_json' })
    expect(verbose.duration).toBeCloseTo(0.95, 1)
    await expectBilled('upstream')
    const english = await client.audio.translations.create({ model: 'whisper-1', file: await recording('你好') })
    expect(english.text).toBe('In English: 你好')
    await expectBilled('upstream')
  })

  test('no usage reported: seconds are counted, tokens estimated', async () => {
    const file = await recording('silent about usage')
    await client.audio.transcriptions.create({ model: 'gpt-transcribe', file, prompt: '[[sandbox:fault=usage-none]]' })
    await expectBilled('counted')
    await client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file, prompt: '[[sandbox:fault=usage-none]]' })
    const { end } = await takeBothEnds()
    expect(end.settled!.provenance).toBe('estimated')
    expect(end.settled!.amount > 0n && end.settled!.amount <= end.settled!.held).toBe(true)
  })
})

describe('moderations, ranking, completions', () => {
  test('a moderation costs nothing and leaves no row', async () => {
    const answer = await client.moderations.create({ input: ['a kind word', 'I will kill it'] })
    expect(answer.results.map((result) => result.flagged)).toEqual([false, true])
    await gateway.idle()
    expect([await gateway.reserved(), await gateway.ends()]).toEqual([[], []])
  })

  const rank = (model: string, documents: readonly string[], more: object = {}) =>
    client.post<{ results: { index: number; relevance_score: number }[] }>('/rerank', { body: { model, query: 'capital of France', documents, ...more } })

  test('documents by relevance: by the search, and by the token', async () => {
    const answer = await rank('rerank-v4.0-pro', ['Berlin is in Germany', 'Paris is the capital of France'], { top_n: 1 })
    expect(answer.results.map((result) => result.index)).toEqual([1])
    expect((await expectBilled('upstream')).settled!.lines).toMatchObject([{ kind: 'searches', tokens: 1 }])
    await rank(
      'rerank-v4.0-fast',
      Array.from({ length: 150 }, (_, at) => `document ${at}`),
    )
    expect((await expectBilled('upstream')).settled!.lines).toMatchObject([{ kind: 'searches', tokens: 2 }])
    await rank('rerank-v5.0-fast', ['one', 'two'])
    expect((await expectBilled('upstream')).settled!.lines).toMatchObject([{ kind: 'input' }])
  })

  test("Cohere's errors in the caller's shape", async () => {
    await expect(rank('rerank-v4.0-pro', ['x'], { top_n: -1 })).rejects.toMatchObject({
      status: 400,
      error: { message: 'invalid request: top_n must be at least 1' },
    })
    expect(await collectCallEnds(gateway)).toMatchObject([{ how: 'released' }])
  })

  test('a completion, whole and streamed', async () => {
    const ask = { model: 'davinci-002', prompt: 'Once upon a time', max_tokens: 40 }
    const whole = await client.completions.create(ask)
    expect(whole.choices[0]!.text).toContain('Once upon a time')
    await expectBilled('upstream')
    const chunks = await collectAll(await client.completions.create({ ...ask, stream: true }))
    expect(chunks.map((chunk) => chunk.choices[0]!.text).join('')).toBe(whole.choices[0]!.text)
    expect(chunks.every((chunk) => !chunk.usage)).toBe(true)
    await expectBilled('upstream')
  })
})

describe('completions of models that only chat', () => {
  test.each(['gpt-5.2', 'claude-sonnet-5-5', 'gemini-3.8-flash'])('%s, whole and streamed', async (model) => {
    const ask = { model, prompt: 'Once upon a time', max_tokens: 400 }
    const whole = await client.completions.create(ask)
    expect(whole.object).toBe('text_completion')
    expect(whole.choices[0]!.text).toContain('Once upon a time')
    expect(whole.usage!.completion_tokens).toBeGreaterThan(5)
    await takeBothEnds()
    const chunks = await collectAll(await client.completions.create({ ...ask, stream: true, stream_options: { include_usage: true } }))
    expect(chunks.map((chunk) => chunk.choices[0]?.text ?? '').join('')).toBe(whole.choices[0]!.text)
    expect(chunks.at(-1)!.usage!.total_tokens).toBe(whole.usage!.total_tokens)
    await takeBothEnds()
    await expect(client.completions.create({ ...ask, echo: true })).rejects.toMatchObject({ status: 400, param: 'echo', code: 'unsupported_parameter' })
  })
})

describe('when the vendor fails', () => {
  const asks: Readonly<Record<string, (mark: string) => Promise<unknown>>> = {
    images: (mark) => client.images.generate({ model: 'gpt-image-2', prompt: `x ${mark}`, size: '256x256' }),
    speech: async (mark) => (await speech(`x ${mark}`)).arrayBuffer(),
    transcriptions: async (mark) =>
      client.audio.transcriptions.create({ model: 'gpt-transcribe', file: await toFile(Buffer.alloc(2_000, 7), 'x.mp3'), prompt: mark }),
    moderations: (mark) => client.moderations.create({ input: `x ${mark}` }),
    rerank: (mark) => client.post('/rerank', { body: { model: 'rerank-v4.0-pro', query: `x ${mark}`, documents: ['a'] } }),
    completions: (mark) => client.completions.create({ model: 'davinci-002', prompt: `x ${mark}` }),
  }
  test.each(Object.keys(asks))('%s: refused, overloaded, cut, gone: an error in shape, and nothing is charged', async (name) => {
    // Audio that is cut off with a clean end cannot be distinguished from short audio.
    const cuts = name === 'speech' ? ['cut'] : ['cut', 'truncate']
    for (const fault of ['bad-request', 'unauthorized', 'rate-limit', 'error', 'overloaded', 'close', 'html', ...cuts]) {
      const error: unknown = await asks[name]!(`[[sandbox:fault=${fault}]]`).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error, fault).toBeInstanceOf(Error)
      const ends = await collectCallEnds(gateway)
      for (const end of ends) expect([fault, end.settled?.amount ?? 0n]).toEqual([fault, 0n])
      await gateway.forget()
    }
  })

  test('an explicit usage of 0 is 0', async () => {
    await client.images.generate({ model: 'gpt-image-2', prompt: '[[sandbox:fault=usage-zero]]', size: '256x256' })
    expect((await takeBothEnds()).end.settled).toMatchObject({ provenance: 'upstream', amount: 0n })
  })

  test.each(['usage-none', 'usage-negative', 'usage-huge'])('a picture with %s is estimated within the hold', async (fault) => {
    await client.images.generate({ model: 'gpt-image-2', prompt: `[[sandbox:fault=${fault}]]`, size: '1024x1024', quality: 'low' })
    const { end } = await takeBothEnds()
    expect(end.settled!.provenance).toBe('estimated')
    expect(end.settled!.amount > 0n && end.settled!.amount <= end.settled!.held).toBe(true)
  })

  test('a picture whose client leaves before it is drawn is read to its end and billed', async () => {
    const leave = new AbortController()
    const asked = client.images.generate(
      { model: 'gpt-image-2', prompt: '[[sandbox:chunk=60]]', size: '256x256', quality: 'low', stream: true, partial_images: 3 },
      { signal: leave.signal },
    )
    for await (const _ of await asked) {
      leave.abort()
      break
    }
    const { end, entry } = await takeBothEnds()
    expect(end).toMatchObject({ outcome: 'client_gone', settled: { provenance: 'upstream' } })
    expect(end.settled!.amount).toBe(computeBilled(entry))
  })
})
