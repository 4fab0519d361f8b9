import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findEventEnd, parseEventJson } from '../dialects/sse.ts'
import { createEventSplitter } from '../dialects/splitter.ts'
import type { Raw } from '../usage/usage.ts'
import { collectDropped } from './dropped.ts'
import { UntranslatableError } from './form.ts'
import type { NeutralRequest, AnswerEvent, Seal, ModelDialect } from './form.ts'
import { wrapSeal, unwrapSeal } from './reading.ts'
import { SAMPLE_REQUESTS } from './samples.ts'
import { DIALECT_CODECS, gatherAnswer } from './index.ts'

const DIALECTS = Object.keys(DIALECT_CODECS) as ModelDialect[]
const PAIRS = DIALECTS.flatMap((from) => DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const))
const AIM = { model: 'm', mostOutput: 4_096, traits: new Set<never>() }
const HEAD = { id: 'abc', model: 'm', created: 1_700_000_000 }
const GOLDEN = join(import.meta.dirname, 'golden')
const FIXTURES = join(import.meta.dirname, '../../../../../e2e/transcripts/fixtures')

interface Recorded {
  readonly name: string
  readonly dialect: ModelDialect
  readonly stream: boolean
  readonly response: { readonly body: string; readonly contentType: string }
}
const recorded = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as Recorded)
  .filter((one) => DIALECTS.includes(one.dialect))
const wholes = recorded.filter((one) => !one.stream)
const streams = recorded.filter((one) => one.stream && one.response.contentType.startsWith('text/event-stream'))

/** Converts upstream bytes to the caller's bytes, as the relay does. */
function translateChunks(chunks: readonly Buffer[], to: ModelDialect, from: ModelDialect): { readonly out: string; readonly said: readonly AnswerEvent[] } {
  const splitter = createEventSplitter()
  const reader = DIALECT_CODECS[to].streamReader()
  const writer = DIALECT_CODECS[from].streamWriter(HEAD, { usage: true, sse: true })
  const said: AnswerEvent[] = []
  let out = ''
  for (const chunk of chunks) {
    const events = splitter.feed(chunk)
    for (let at = 0; events !== undefined && at < events.length;) {
      const end = findEventEnd(events, at)
      const json = parseEventJson(events.subarray(at, end))
      for (const one of json === undefined ? [] : reader(json)) {
        said.push(one)
        out += writer.said(one)
      }
      at = end
    }
  }
  return { out: out + writer.end(), said }
}

/** Each vendor's way to break off. */
const BROKEN: Readonly<Record<ModelDialect, Raw>> = {
  'openai-chat': { error: { message: 'Overloaded', type: 'server_error', param: null, code: null } },
  'openai-responses': { type: 'response.failed', sequence_number: 9, response: { status: 'failed', error: { code: 'server_error', message: 'Overloaded' } } },
  'anthropic-messages': { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  'gemini-generate': { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } },
}

/** The first events of a stream and then the vendor's error, as the relay forwards them. */
function translateBrokenStream(bytes: Buffer, to: ModelDialect, from: ModelDialect): string {
  const reader = DIALECT_CODECS[to].streamReader()
  const writer = DIALECT_CODECS[from].streamWriter(HEAD, { usage: true, sse: true })
  const events = createEventSplitter().feed(bytes)!
  let out = ''
  for (let at = 0, seen = 0; at < events.length && seen < 6; seen++) {
    const end = findEventEnd(events, at)
    const json = parseEventJson(events.subarray(at, end))
    for (const one of json === undefined ? [] : reader(json)) out += writer.said(one)
    at = end
  }
  const error = reader(BROKEN[to]).find((one) => one.kind === 'error')
  return out + writer.fail(error!.message)
}

/** Content of an answer, without boundaries of its pieces and dialect-specific parts. */
function summarizeAnswer(said: readonly AnswerEvent[]): object {
  const answer = gatherAnswer(said)
  const text = (kind: string): string => answer.parts.map((part) => (part.kind === kind && 'text' in part ? part.text : '')).join('')
  const calls = answer.parts.flatMap((part) => (part.kind === 'call' ? [[part.name, JSON.parse(part.args || '{}')]] : []))
  return {
    text: text('text') + text('refusal'),
    thinking: text('thinking'),
    calls,
    stop: answer.stop === 'stop-sequence' ? 'end' : answer.stop,
    usage: answer.usage?.output,
  }
}

const plain = (value: unknown): Raw => JSON.parse(JSON.stringify(value)) as Raw

describe.each(PAIRS)('%s to %s', (from, to) => {
  it('the request is translated', async () => {
    const written = DIALECT_CODECS[to].writeAsk(DIALECT_CODECS[from].readAsk(SAMPLE_REQUESTS[from], true), AIM)
    await expect(`${JSON.stringify(plain(written), null, 2)}\n`).toMatchFileSnapshot(join(GOLDEN, `ask-${from}-to-${to}.json`))
  })
  it('the answer, streamed and whole, keeps its meaning', async () => {
    let shown = ''
    for (const one of streams.filter((it) => it.dialect === to)) {
      const { out, said } = translateChunks([Buffer.from(one.response.body)], to, from)
      // Read the output back with the caller's own reader.
      const back = translateChunks([Buffer.from(out)], from, to).said
      expect({ ...summarizeAnswer(back), usage: undefined }, one.name).toEqual({ ...summarizeAnswer(said), usage: undefined })
      const whole = DIALECT_CODECS[from].readAnswer(plain(DIALECT_CODECS[from].writeAnswer(gatherAnswer(said), HEAD)))
      expect(summarizeAnswer(whole), one.name).toMatchObject({ ...summarizeAnswer(said) })
      if (/tools|text|think/.test(one.name)) shown += `# ${one.name}\n${out}`
    }
    await expect(shown.replaceAll(/call_[0-9a-f]{8}_/g, 'call_')).toMatchFileSnapshot(join(GOLDEN, `stream-${to}-for-${from}.txt`))
  })
  it('a whole answer keeps its meaning', async () => {
    const shown = wholes
      .filter((one) => one.dialect === to)
      .map((one) => {
        const said = DIALECT_CODECS[to].readAnswer(JSON.parse(one.response.body) as Raw)
        const answer = plain(DIALECT_CODECS[from].writeAnswer(gatherAnswer(said), HEAD))
        expect(summarizeAnswer(DIALECT_CODECS[from].readAnswer(answer)), one.name).toMatchObject(summarizeAnswer(said))
        return `# ${one.name}\n${JSON.stringify(answer, null, 2)}\n`
      })
    expect(shown).toHaveLength(3)
    await expect(shown.join('').replaceAll(/call_[0-9a-f]{8}_/g, 'call_')).toMatchFileSnapshot(join(GOLDEN, `whole-${to}-for-${from}.txt`))
  })
  it('an error in mid-stream has the caller’s shape and the vendor’s words', async () => {
    const text = streams.find((one) => one.dialect === to && one.name.endsWith('stream-text'))!
    const out = translateBrokenStream(Buffer.from(text.response.body), to, from)
    expect(translateChunks([Buffer.from(out)], from, to).said.filter((one) => one.kind === 'error')).toEqual([{ kind: 'error', message: 'Overloaded' }])
    await expect(out).toMatchFileSnapshot(join(GOLDEN, `error-${to}-for-${from}.txt`))
  })
})

describe.each(streams.filter((one) => one.response.body.length < 30_000).map((one) => [one.name, one] as const))('chunks of %s', (_, one) => {
  it('cut anywhere, give the same', () => {
    const bytes = Buffer.from(one.response.body)
    for (const from of DIALECTS.filter((dialect) => dialect !== one.dialect)) {
      const asOne = translateChunks([bytes], one.dialect, from).out.replaceAll(/call_[0-9a-f]{8}_/g, '')
      const singles = Array.from(bytes, (byte) => Buffer.from([byte]))
      expect(translateChunks(singles, one.dialect, from).out.replaceAll(/call_[0-9a-f]{8}_/g, '')).toBe(asOne)
      for (let cut = 1; cut < bytes.length; cut += 37)
        expect(translateChunks([bytes.subarray(0, cut), bytes.subarray(cut)], one.dialect, from).out.replaceAll(/call_[0-9a-f]{8}_/g, '')).toBe(asOne)
    }
  })
})

describe.each(DIALECTS)('%s', (dialect) => {
  it('writes again what it read', () => {
    const tongue = DIALECT_CODECS[dialect]
    const ask = tongue.readAsk(SAMPLE_REQUESTS[dialect], true)
    const again = tongue.readAsk(plain({ ...tongue.writeAsk(ask, AIM) }), true)
    expect(removePaths(again)).toEqual(removePaths(ask))
  })
  it('leaves out a member that it does not know, by its name', () => {
    const dropped = (more: Raw) => collectDropped(() => DIALECT_CODECS[dialect].readAsk({ ...SAMPLE_REQUESTS[dialect], ...more }, false)).dropped.join()
    expect(dropped({ never_heard_of: 1 })).toMatch(/^never.?heard.?of$/i)
    expect(dropped({ never_heard_of: null })).toBe('')
  })
})

/** Positions differ if a dialect has more than one form for the same content. */
function removePaths(ask: NeutralRequest): unknown {
  return JSON.parse(JSON.stringify(ask, (key, value: unknown) => (key === 'at' ? undefined : value)))
}

const REFUSED: readonly (readonly [ModelDialect, Raw, ModelDialect, string])[] = [
  ['openai-chat', { logprobs: true }, 'anthropic-messages', 'logprobs'],
  ['openai-chat', { n: 2 }, 'anthropic-messages', 'n'],
  ['openai-chat', { n: 2 }, 'openai-responses', 'n'],
  ['gemini-generate', { generationConfig: { candidateCount: 2 } }, 'anthropic-messages', 'generationConfig.candidateCount'],
  ['openai-responses', { include: ['message.output_text.logprobs'] }, 'anthropic-messages', 'include'],
  ['openai-chat', { stop: ['x'] }, 'openai-responses', 'stop'],
  ['openai-responses', { previous_response_id: 'r' }, 'anthropic-messages', 'previous_response_id'],
  ['openai-responses', { tools: [{ type: 'web_search' }] }, 'anthropic-messages', 'tools[0].type'],
  ['anthropic-messages', { mcp_servers: [{ type: 'url' }] }, 'openai-chat', 'mcp_servers'],
  ['anthropic-messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'gemini-generate', 'tools[0].type'],
  ['gemini-generate', { cachedContent: 'c' }, 'openai-chat', 'cachedContent'],
  ['openai-chat', { logit_bias: { 50256: -100 } }, 'gemini-generate', 'logit_bias'],
  ['openai-chat', { web_search_options: {} }, 'gemini-generate', 'web_search_options'],
  ['openai-chat', { service_tier: 'flex' }, 'gemini-generate', 'service_tier'],
  ['anthropic-messages', { inference_geo: 'us' }, 'gemini-generate', 'inference_geo'],
  ['gemini-generate', { tools: [{ googleSearch: {} }] }, 'openai-chat', 'tools[0].googleSearch'],
]

it.each(REFUSED)('%s %j is refused for %s', (from, more, to, field) => {
  let caught: unknown
  try {
    DIALECT_CODECS[to].writeAsk(DIALECT_CODECS[from].readAsk({ ...SAMPLE_REQUESTS[from], ...more }, false), AIM)
  } catch (error) {
    caught = error
  }
  expect(caught).toBeInstanceOf(UntranslatableError)
  expect((caught as UntranslatableError).field).toBe(field)
})

it('a carried seal keeps its owner and value; a plain value is the reader’s own signature', () => {
  const seal: Seal = { from: 'anthropic-messages', kind: 'redacted', value: 'a b\nc+/=' }
  expect(unwrapSeal(wrapSeal(seal), 'openai-chat')).toEqual(seal)
  expect(unwrapSeal('plain', 'openai-chat')).toEqual({ from: 'openai-chat', kind: 'signature', value: 'plain' })
})
