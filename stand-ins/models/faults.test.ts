import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MODEL_FAULTS } from './read/knobs.ts'
import { MAGIC_INPUTS } from './read/magic-inputs.ts'
import { startModelStandIn, type RunningModelStandIn } from './test-server.ts'

let box: RunningModelStandIn
beforeAll(async () => void (box = await startModelStandIn()))
afterAll(() => box.stop())

type Dialect = 'chat' | 'responses' | 'messages' | 'gemini'
const DIALECTS: readonly Dialect[] = ['chat', 'responses', 'messages', 'gemini']
let serial = 0

function request(dialect: Dialect, text: string, stream: boolean): { path: string; body: unknown } {
  const user = [{ role: 'user', content: text }]
  switch (dialect) {
    case 'chat':
      return {
        path: '/openai/v1/chat/completions',
        body: { model: 'gpt-4.1', messages: user, stream, ...(stream ? { stream_options: { include_usage: true } } : {}) },
      }
    case 'responses':
      return { path: '/openai/v1/responses', body: { model: 'gpt-4.1', input: text, stream } }
    case 'messages':
      return { path: '/anthropic/v1/messages', body: { model: 'claude', max_tokens: 400, messages: user, stream } }
    case 'gemini':
      return {
        path: `/google/v1beta/models/gemini-2.0:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
        body: { contents: [{ role: 'user', parts: [{ text }] }] },
      }
  }
}

async function call(dialect: Dialect, text: string, stream: boolean, signal?: AbortSignal): Promise<{ id: string; answer: Response }> {
  const { path, body } = request(dialect, text, stream)
  const id = `call_${serial++}`
  const answer = await fetch(box.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
    headers: { 'authorization': 'Bearer sandbox', 'x-goog-api-key': 'sandbox', 'anthropic-version': '2023-06-01', 'x-mingxi-call-id': id },
  })
  return { id, answer }
}

/** The body, or what came before it broke. */
async function read(answer: Response): Promise<{ text: string; cut: boolean }> {
  let text = ''
  try {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) text += decoder.decode(chunk, { stream: true })
    return { text, cut: false }
  } catch {
    return { text, cut: true }
  }
}

test('every fault is in the table of the page, with a text in both languages, and in README.md', () => {
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  for (const fault of MODEL_FAULTS) {
    expect(
      MAGIC_INPUTS.some((row) => row.input.includes(`fault=${fault}`)),
      fault,
    ).toBe(true)
    expect(readme).toMatch(new RegExp('[`=]' + fault + '`'))
  }
  expect(MAGIC_INPUTS.every((row) => row.zh && row.en)).toBe(true)
})

describe.each(DIALECTS)('%s', (dialect) => {
  const statuses = {
    'bad-request': 400,
    'unauthorized': 401,
    'forbidden': 403,
    'not-found': 404,
    'too-large': 413,
    'rate-limit': 429,
    'error': 500,
    'unavailable': 503,
    'timeout': 504,
  }
  test.each(Object.entries(statuses))('%s is %i and bills nothing', async (fault, status) => {
    const { id, answer } = await call(dialect, `Hi [[sandbox:fault=${fault},retry=7]]`, true)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(await answer.json()).toHaveProperty('error')
    expect(await box.closed(id)).toMatchObject({ status: 'failed', httpStatus: status, billed: { input: 0, output: 0 } })
  })

  test.each([true, false])('cut at a byte (stream: %s)', async (stream) => {
    const { id, answer } = await call(dialect, 'Hi [[sandbox:fault=cut,byte=300]]', stream)
    const { text, cut } = await read(answer)
    expect(cut).toBe(true)
    expect(Buffer.byteLength(text)).toBe(300)
    const entry = await box.closed(id)
    expect(entry.status).toBe('failed')
    expect(entry.billed.input > 0).toBe(stream)
  })

  test('cut after events bills what was generated until then', async () => {
    const whole = await call(dialect, 'Hi [[sandbox:event=0]]', true)
    await read(whole.answer)
    const { id, answer } = await call(dialect, 'Hi [[sandbox:fault=cut,event=6]]', true)
    expect((await read(answer)).cut).toBe(true)
    const entry = await box.closed(id)
    expect(entry.billed.output).toBeGreaterThan(0)
    expect(entry.billed.output).toBeLessThan((await box.closed(whole.id)).billed.output)
  })

  test('truncate ends cleanly without the rest, mid-error says so', async () => {
    const truncated = await read((await call(dialect, 'Hi [[sandbox:fault=truncate,event=4]]', true)).answer)
    expect(truncated.cut).toBe(false)
    expect(truncated.text).not.toMatch(/\[DONE\]|message_stop|response\.completed|finishReason/)
    const failed = await read((await call(dialect, 'Hi [[sandbox:fault=mid-error,event=4]]', true)).answer)
    expect(failed.text).toMatch(/"error"/)
    expect((await call(dialect, 'Hi [[sandbox:fault=mid-error]]', false)).answer.status).toBe(500)
  })

  test('usage: none, zero, twice, negative, huge', async () => {
    const name = { chat: '"completion_tokens":', responses: '"output_tokens":', messages: '"output_tokens":', gemini: '"candidatesTokenCount":' }[dialect]
    const final = async (fault: string) => {
      const { id, answer } = await call(dialect, `Hi [[sandbox:fault=${fault}]]`, true)
      const values = [...(await read(answer)).text.matchAll(new RegExp(`${name}(-?[\\d.e+]+)`, 'g'))].map((match) => Number(match[1]))
      return { values, entry: await box.closed(id) }
    }
    const none = await final('usage-none')
    expect(none.values).toEqual([])
    expect(none.entry.billed.output).toBeGreaterThan(0)
    const zero = await final('usage-zero')
    expect(zero.values.every((value) => value === 0)).toBe(true)
    expect(zero.entry.billed).toMatchObject({ input: 0, output: 0 })
    expect((await final('usage-negative')).values.at(-1)).toBeLessThan(0)
    expect((await final('usage-huge')).values.at(-1)).toBeGreaterThan(1e12)
    const twice = await final('usage-twice')
    expect(twice.values.at(-1)).toBe(twice.values.at(-2))
    expect(twice.entry.billed.output).toBe(twice.values.at(-1))
  })

  test('nonsense bodies: html, bad-json, wrong-type, garbage', async () => {
    const html = await call(dialect, 'Hi [[sandbox:fault=html]]', false)
    expect(html.answer.headers.get('content-type')).toContain('text/html')
    expect(() => JSON.parse('{')).toThrow()
    const bad = await read((await call(dialect, 'Hi [[sandbox:fault=bad-json]]', false)).answer)
    expect(() => JSON.parse(bad.text) as unknown).toThrow()
    const wrong = (await call(dialect, 'Hi [[sandbox:fault=wrong-type]]', true)).answer
    expect(wrong.headers.get('content-type')).toContain('text/plain')
    await read(wrong)
    expect((await read((await call(dialect, 'Hi [[sandbox:fault=garbage]]', true)).answer)).text).toMatch(/garbage after the end\n$/)
  })

  test('close, hang and stall: nothing billed before a byte', async () => {
    await expect(call(dialect, 'Hi [[sandbox:fault=close]]', true)).rejects.toThrow()
    const id = `call_${serial}`
    const [leaves, leavesLater] = [new AbortController(), new AbortController()]
    const hung = call(dialect, 'Hi [[sandbox:fault=hang]]', true, leaves.signal).catch((error: unknown) => error)
    await expect.poll(() => box.book.find(id).length).toBe(1)
    leaves.abort()
    expect(await hung).toBeInstanceOf(Error)
    expect((await box.closed(id)).billed).toMatchObject({ input: 0, output: 0 })
    const stalled = await call(dialect, 'Hi [[sandbox:fault=stall,event=5]]', true, leavesLater.signal)
    setTimeout(() => leavesLater.abort(), 100)
    expect((await read(stalled.answer)).cut).toBe(true)
    expect((await box.closed(stalled.id)).status).toBe('failed')
  })

  test('over-cap: an answer twice as long as asked for', async () => {
    const { id, answer } = await call(dialect, 'Hi [[sandbox:fault=over-cap]]', false)
    await read(answer)
    expect((await box.closed(id)).billed.output).toBeGreaterThanOrEqual(dialect === 'messages' ? 800 : 128)
  })

  test('times=1 fails once', async () => {
    const text = `Hi ${dialect} [[sandbox:fault=error,times=1]]`
    expect([(await call(dialect, text, false)).answer.status, (await call(dialect, text, false)).answer.status]).toEqual([500, 200])
  })

  test('a caller who leaves: OpenAI and Anthropic bill what was generated, Google bills all', async () => {
    const leaving = new AbortController()
    const { id, answer } = await call(dialect, 'Hi [[sandbox:chunk=15,tokens=200]]', true, leaving.signal)
    const reader = answer.body!.getReader()
    for (let chunks = 0; chunks < 9; chunks++) await reader.read()
    leaving.abort()
    const entry = await box.closed(id)
    expect(entry.status).toBe('aborted')
    if (dialect === 'gemini') expect(entry.billed.output).toBe(200)
    else expect(entry.billed.output).toBeLessThan(200)
    expect(entry.billed.output).toBeGreaterThan(0)
  })
})
