import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { sumNano, computeTokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { aKey } from '../builders.ts'
import { createCatalogue } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { insertPrice } from './data.ts'
import { resolveCallOutcome } from '../journal/sweeping/resolve-outcome.ts'
import type { UsageLine } from '../hot/deps.ts'
import { anUpstream } from '../hot/testing/fake-deps.ts'
import { SSE_HEAD, formatHttpChunk, formatHttpJson } from '../hot/testing/fake-upstream.ts'
import { callLab, openLab, waitForCondition } from '../hot/testing/lab.ts'
import type { LabRequest, Lab } from '../hot/testing/lab.ts'
import { createJournal } from '../journal/journal.ts'
import type { RunningJournal } from '../journal/journal.ts'
import { unpackLines } from '../journal/lines.ts'
import { seedPrices } from './seed.ts'
import type { Upstreams } from '../upstreams/upstreams.ts'

// M5: the relay with the real journal and catalogue, in front of a fake upstream that answers on command. Two hundred calls begin before
// their price changes and end after it.
const ROUNDS = 20
const AT_ONCE = 10
const log = createLog('silent')
let db: Db & { url: string; owner: Db }
let lab: Lab
let catalogue: Catalogue
let journal: RunningJournal
let userId: string
beforeAll(async () => {
  db = await useTestDb()
  await seedPrices({ db })
  lab = await openLab({ limits: { upstreamMs: 60_000, bodyMs: 60_000 } })
  const upstream = anUpstream(lab.upstream.origin)
  catalogue = await createCatalogue(db, (_vendor, model) => [{ upstream, upstreamModel: model }], { log })
  journal = await createJournal(db, log, { deadMs: 60_000 })
  userId = await aFundedUser(db)
  const { key } = await aKey(db, userId)
  Object.assign(lab.deps, { findKey: () => key, findModel: catalogue.find, journal })
})
afterAll(async () => {
  catalogue?.stop()
  await lab?.close()
})

/** Usage that the fake vendor reports; the classes do not overlap. */
interface Used {
  readonly input: number
  readonly cached: number
  readonly write5m: number
  readonly write1h: number
  readonly output: number
  readonly reasoning: number
}
interface Spoken {
  readonly model: string
  readonly ask: (prompt: string, stream: boolean) => LabRequest
  /** First event of a stream. `end` closes it with the usage; `whole` is a complete response. */
  readonly first: string
  readonly end: (used: Used) => string
  readonly whole: (used: Used) => object
  readonly kinds: readonly (keyof Used)[]
}

const openai = (used: Used, [input, output]: readonly [string, string]) => ({
  [`${input}_tokens`]: used.input + used.cached + used.write5m,
  [`${input}_tokens_details`]: { cached_tokens: used.cached, cache_write_tokens: used.write5m },
  [`${output}_tokens`]: used.output + used.reasoning,
  [`${output}_tokens_details`]: { reasoning_tokens: used.reasoning },
  total_tokens: used.input + used.cached + used.write5m + used.output + used.reasoning,
})
const chatUsage = (used: Used) => openai(used, ['prompt', 'completion'])
const responsesUsage = (used: Used) => openai(used, ['input', 'output'])
const messagesUsage = (used: Used) => ({
  input_tokens: used.input,
  cache_read_input_tokens: used.cached,
  cache_creation_input_tokens: used.write5m + used.write1h,
  cache_creation: { ephemeral_5m_input_tokens: used.write5m, ephemeral_1h_input_tokens: used.write1h },
  output_tokens: used.output + used.reasoning,
  output_tokens_details: { thinking_tokens: used.reasoning },
})
const geminiUsage = (used: Used) => ({
  promptTokenCount: used.input + used.cached,
  cachedContentTokenCount: used.cached,
  candidatesTokenCount: used.output,
  thoughtsTokenCount: used.reasoning,
  totalTokenCount: used.input + used.cached + used.output + used.reasoning,
})
const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const event = (value: { type: string }) => `event: ${value.type}\n${data(value)}`
const OPENAI = ['input', 'cached', 'write5m', 'output', 'reasoning'] as const

const DIALECTS: readonly Spoken[] = [
  {
    model: 'gpt-4o',
    ask: (content, stream) => ({ body: { model: 'gpt-4o', stream, max_tokens: 50, messages: [{ role: 'user', content }] } }),
    first: data({ id: 'c', choices: [{ index: 0, delta: { content: 'Hi' } }] }),
    end: (used) =>
      `${data({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${data({ id: 'c', choices: [], usage: chatUsage(used) })}data: [DONE]\n\n`,
    whole: (used) => ({ id: 'c', choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }], usage: chatUsage(used) }),
    kinds: OPENAI,
  },
  {
    model: 'gpt-6-luna',
    ask: (input, stream) => ({ path: '/v1/responses', body: { model: 'gpt-6-luna', stream, max_output_tokens: 50, input } }),
    first: event({ type: 'response.output_text.delta', delta: 'Hi' } as { type: string }),
    end: (used) => event({ type: 'response.completed', response: { id: 'r', status: 'completed', usage: responsesUsage(used) } } as { type: string }),
    whole: (used) => ({ id: 'r', object: 'response', status: 'completed', output: [], usage: responsesUsage(used) }),
    kinds: OPENAI,
  },
  {
    model: 'claude-haiku-5-5',
    ask: (content, stream) => ({
      path: '/v1/messages',
      headers: { 'anthropic-version': '2023-06-01' },
      body: { model: 'claude-haiku-5-5', stream, max_tokens: 50, messages: [{ role: 'user', content }] },
    }),
    first: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } } as { type: string }),
    end: (used) =>
      `${event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: messagesUsage(used) } as { type: string })}${event({ type: 'message_stop' })}`,
    whole: (used) => ({ id: 'm', type: 'message', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn', usage: messagesUsage(used) }),
    kinds: ['input', 'cached', 'write5m', 'write1h', 'output', 'reasoning'],
  },
  {
    model: 'gemini-3.8-flash',
    ask: (text, stream) => ({
      path: `/v1beta/models/gemini-3.8-flash:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      body: { contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { maxOutputTokens: 50 } },
    }),
    first: data({ candidates: [{ content: { parts: [{ text: 'Hi' }] } }] }),
    end: (used) => data({ candidates: [{ content: { parts: [{ text: '!' }] }, finishReason: 'STOP' }], usageMetadata: geminiUsage(used) }),
    whole: (used) => ({ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }], usageMetadata: geminiUsage(used) }),
    kinds: ['input', 'cached', 'output', 'reasoning'],
  },
]
const CLASS: Readonly<Record<keyof Used, UsageLine['kind']>> = {
  input: 'input',
  cached: 'cachedInput',
  write5m: 'cacheWrite5m',
  write1h: 'cacheWrite1h',
  output: 'output',
  reasoning: 'reasoning',
}

const random = (most: number) => Math.floor(Math.random() * most)
type Price = Readonly<Record<keyof Used, Nano>> & { readonly version: number }

/** Inserts new prices for every model, different in each class; resolves when this process uses them. */
async function newPrices(): Promise<Map<string, Price>> {
  const prices = new Map<string, Price>()
  for (const { model } of DIALECTS) {
    const [input, cached, write5m, write1h, output] = Array.from({ length: 5 }, () => BigInt(1 + random(40_000_000_000))) as [Nano, Nano, Nano, Nano, Nano]
    const classes = [input, cached, write5m, write1h, output, null, null, null]
    const version = Number(
      await insertPrice(db, { modelId: model, classes, longAbove: null, longClasses: null }, { validFrom: new Date(), source: createId('source') }),
    )
    prices.set(model, { input, cached, write5m, write1h, output, reasoning: output, version })
  }
  await catalogue.reload()
  for (const [model, { version }] of prices) expect(catalogue.find(model)!.prices.version).toBe(version)
  return prices
}

test(`M5: ${ROUNDS * AT_ONCE} calls whose price changes while they run are charged what they were promised, each class at its own price`, async () => {
  const amounts: Nano[] = []
  let prices = await newPrices()
  for (let round = 0; round < ROUNDS; round++) {
    const used = Array.from({ length: AT_ONCE }, (): Used => ({
      input: 1 + random(5000),
      cached: random(5000),
      write5m: random(500),
      write1h: random(500),
      output: 1 + random(900),
      reasoning: random(900),
    }))
    let open = () => {}
    const changed = new Promise<void>((done) => {
      open = done
    })
    lab.upstream.seen.length = 0
    lab.upstream.answer = (seen, socket) => {
      const n = Number(/no (\d+)\./.exec(seen.body)![1])
      const { first, end, whole } = DIALECTS[n % 4]!
      if (n % 3 === 0) void changed.then(() => socket.write(formatHttpJson(whole(used[n]!))))
      else {
        socket.write(`${SSE_HEAD}\r\n${formatHttpChunk(first)}`)
        void changed.then(() => socket.write(`${formatHttpChunk(end(used[n]!))}0\r\n\r\n`))
      }
    }
    let begun = 0
    const answering = used.map((_, n) => {
      const { ask } = DIALECTS[n % 4]!
      let first = true
      return callLab(lab, {
        ...ask(`no ${n}.`, n % 3 > 0),
        onData: () => {
          if (first) begun++
          first = false
        },
      })
    })
    const answers = Promise.all(answering)
    answers.catch(() => {}) // awaited below
    // Every stream has reached its client, and every other call its upstream.
    await waitForCondition(() => lab.upstream.seen.length === AT_ONCE && begun === used.filter((_, n) => n % 3).length)
    const promised = prices
    prices = await newPrices()
    open()
    for (const [n, answer] of (await answers).entries()) {
      const { model, kinds } = DIALECTS[n % 4]!
      expect([n, answer.status]).toEqual([n, 200])
      const id = String(answer.headers['x-mingxi-request-id']).replace(/^req_/, 'call_')
      const [row] = await db.query<{ version: number; lines: readonly string[]; amount: Nano; provenance: string }>(
        'select price_version::int as version, lines, amount, provenance from gateway_usage where call_id = $1',
        [id],
      )
      const price = promised.get(model)!
      const lines = kinds
        .filter((kind) => used[n]![kind] > 0)
        .map((kind) => ({ kind: CLASS[kind], tokens: used[n]![kind], unitPrice: price[kind], amount: computeTokenCost(used[n]![kind], price[kind]) }))
      expect({ ...row, lines: unpackLines(row!.lines) }).toEqual({
        version: price.version,
        lines,
        amount: sumNano(lines.map((line) => line.amount)),
        provenance: 'upstream',
      })
      amounts.push(row!.amount)
    }
  }
  await journal.stop()
  expect(amounts).toHaveLength(ROUNDS * AT_ONCE)
  expect(await readBalance(db, userId)).toMatchObject({ totalSpent: sumNano(amounts), held: 0n })
  expect((await verifyLedger(db.owner)).problems).toEqual([])
})

test('M5: after a crash too the promised price is charged, though another is in force by then', async () => {
  const promised = await newPrices()
  await newPrices()
  const used = { input: 700, cached: 300, write5m: 20, write1h: 10, output: 90, reasoning: 40 }
  for (const { model, whole, kinds } of DIALECTS) {
    const answer = whole(used) as { usage?: object; usageMetadata?: object }
    const vendor = { lookup: () => Promise.resolve({ known: true, finished: true, usage: answer.usage ?? answer.usageMetadata }) }
    const upstreams = { vendorOf: () => ({ vendor, baseUrl: '', key: '' }) } as unknown as Upstreams
    const price = promised.get(model)!
    const call = { callId: 'c', model, upstream: 'u', priceVersion: BigInt(price.version) } as Parameters<typeof resolveCallOutcome>[2]
    const amount = sumNano(kinds.map((kind) => computeTokenCost(used[kind], price[kind])))
    expect(await resolveCallOutcome(db, upstreams, call)).toMatchObject({ kind: 'bill', bill: { amount } })
  }
})
