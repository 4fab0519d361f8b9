import { GoogleGenAI, type Content, type Schema } from '@google/genai'
import { describe, expect, test } from 'vitest'
import {
  SAMPLE_PNG,
  RECEIPT_QUESTION,
  TWO_CITIES,
  WEATHER_QUESTION,
  collectAll,
  buildLongText,
  createNonce,
  SAMPLE_RECEIPT_SCHEMA,
  expectRejection,
  SAMPLE_WEATHER_SCHEMA,
  WEATHER_DESCRIPTION,
  type ParsedReceipt,
} from './samples.ts'
import { SDK_MODELS, useSdkTarget } from './target.ts'

const target = useSdkTarget()
const client = () => new GoogleGenAI({ apiKey: target.apiKey, httpOptions: { baseUrl: target.baseUrl } })
const weather = { functionDeclarations: [{ name: 'get_weather', description: WEATHER_DESCRIPTION, parametersJsonSchema: SAMPLE_WEATHER_SCHEMA }] }

describe('gemini', () => {
  test('plain: text, usage that adds up', async () => {
    const reply = await client().models.generateContent({ model: SDK_MODELS.gemini, contents: 'What is a ledger?' })
    expect(reply.text).toContain('ledger')
    expect(reply.candidates![0]!.finishReason).toBe('STOP')
    const usage = reply.usageMetadata!
    expect(usage.totalTokenCount).toBe(usage.promptTokenCount! + usage.candidatesTokenCount! + usage.thoughtsTokenCount!)
  })

  test('stream: running usage on each chunk, the same text as without', async () => {
    const chunks = await collectAll(await client().models.generateContentStream({ model: SDK_MODELS.gemini, contents: 'Hello chunks' }))
    const totals = chunks.map((chunk) => chunk.usageMetadata!.totalTokenCount!)
    expect(totals).toEqual(totals.toSorted((a, b) => a - b))
    const plain = await client().models.generateContent({ model: SDK_MODELS.gemini, contents: 'Hello chunks' })
    expect(chunks.map((chunk) => chunk.text ?? '').join('')).toBe(plain.text)
    expect(chunks.at(-1)!.usageMetadata).toEqual(plain.usageMetadata)
    expect(chunks.at(-1)!.candidates![0]!.finishReason).toBe('STOP')
  })

  test('stream without alt=sse is one JSON array', async () => {
    const answer = await fetch(`${target.baseUrl}/v1beta/models/${SDK_MODELS.gemini}:streamGenerateContent`, {
      method: 'POST',
      headers: { 'x-goog-api-key': target.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello array' }] }] }),
    })
    expect(answer.headers.get('content-type')).toContain('application/json')
    const chunks = (await answer.json()) as { candidates: { finishReason?: string }[] }[]
    expect(chunks.at(-1)!.candidates[0]!.finishReason).toBe('STOP')
  })

  test('countTokens agrees with the call', async () => {
    const { totalTokens } = await client().models.countTokens({ model: SDK_MODELS.gemini, contents: 'Count me' })
    const reply = await client().models.generateContent({ model: SDK_MODELS.gemini, contents: 'Count me' })
    expect(reply.usageMetadata!.promptTokenCount).toBe(totalTokens)
  })

  test.each([SDK_MODELS.gemini, SDK_MODELS.gemini3])('tools: round trip with the thought signature (%s)', async (model) => {
    const first = await client().models.generateContent({ model, contents: WEATHER_QUESTION, config: { tools: [weather] } })
    const call = first.functionCalls![0]!
    expect(call.args).toEqual({ city: 'Paris' })
    const contents: Content[] = [
      { role: 'user', parts: [{ text: WEATHER_QUESTION }] },
      first.candidates![0]!.content!,
      { role: 'user', parts: [{ functionResponse: { id: call.id!, name: call.name!, response: { output: 'sunny, 21 degrees' } } }] },
    ]
    const second = await client().models.generateContent({ model, contents, config: { tools: [weather] } })
    expect(second.text).toContain('sunny, 21 degrees')
    const signature = contents[1]!.parts![0]!.thoughtSignature
    expect(signature).toBeTruthy()
    contents[1] = { role: 'model', parts: [{ ...contents[1]!.parts![0], thoughtSignature: 'Zm9yZ2Vk' }] }
    expect(await expectRejection(client().models.generateContent({ model, contents, config: { tools: [weather] } }))).toMatchObject({ status: 400 })
  })

  test('tools: parallel calls in a stream; only the first is signed', async () => {
    const chunks = await collectAll(
      await client().models.generateContentStream({ model: SDK_MODELS.gemini3, contents: TWO_CITIES, config: { tools: [weather] } }),
    )
    const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []).filter((part) => part.functionCall)
    expect(parts.map((part) => part.functionCall!.args)).toEqual([{ city: 'Paris' }, { city: 'London' }])
    expect(parts.map((part) => Boolean(part.thoughtSignature))).toEqual([true, false])
  })

  test('thoughts are shown when asked for, and counted apart from the candidates', async () => {
    const reply = await client().models.generateContent({
      model: SDK_MODELS.gemini,
      contents: 'Think first',
      config: { thinkingConfig: { includeThoughts: true } },
    })
    expect(reply.candidates![0]!.content!.parts!.map((part) => Boolean(part.thought))).toEqual([true, false])
    expect(reply.usageMetadata!.thoughtsTokenCount).toBe(24)
    const calm = await client().models.generateContent({ model: SDK_MODELS.gemini, contents: 'Think first', config: { thinkingConfig: { thinkingBudget: 0 } } })
    expect(calm.usageMetadata!.thoughtsTokenCount).toBeUndefined()
  })

  test('vision and structured output', async () => {
    const seen = await client().models.generateContent({
      model: SDK_MODELS.gemini,
      contents: [{ role: 'user', parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: SAMPLE_PNG } }] }],
    })
    expect(seen.text).toContain('1 image')
    const json = await client().models.generateContent({
      model: SDK_MODELS.gemini,
      contents: RECEIPT_QUESTION,
      config: { responseMimeType: 'application/json', responseJsonSchema: SAMPLE_RECEIPT_SCHEMA },
    })
    expect((JSON.parse(json.text!) as ParsedReceipt).total).toBe(12.5)
    const schema = { type: 'OBJECT', properties: { answer: { type: 'STRING' }, score: { type: 'INTEGER' } }, required: ['answer', 'score'] } as Schema
    const upper = await client().models.generateContent({
      model: SDK_MODELS.gemini,
      contents: 'Score 7',
      config: { responseMimeType: 'application/json', responseSchema: schema },
    })
    expect(JSON.parse(upper.text!)).toMatchObject({ score: 7 })
  })

  test('caps, stop sequences and a repeated prefix', async () => {
    const calm = { thinkingConfig: { thinkingBudget: 0 } }
    const cut = await client().models.generateContent({ model: SDK_MODELS.gemini, contents: 'Tell me about holds', config: { ...calm, maxOutputTokens: 6 } })
    expect([cut.candidates![0]!.finishReason, cut.usageMetadata!.candidatesTokenCount]).toEqual(['MAX_TOKENS', 6])
    const stopped = await client().models.generateContent({ model: SDK_MODELS.gemini, contents: 'Tell me about holds', config: { stopSequences: ['holds'] } })
    expect(stopped.text).not.toContain('holds')
    const systemInstruction = buildLongText(createNonce())
    await client().models.generateContent({ model: SDK_MODELS.gemini, contents: 'One?', config: { systemInstruction } })
    const second = await client().models.generateContent({ model: SDK_MODELS.gemini, contents: 'Two?', config: { systemInstruction } })
    expect(second.usageMetadata!.cachedContentTokenCount).toBeGreaterThanOrEqual(1024)
  })

  test('embeddings', async () => {
    const reply = await client().models.embedContent({
      model: SDK_MODELS.geminiEmbedding,
      contents: ['ledger', 'wallet'],
      config: { outputDimensionality: 256 },
    })
    expect(reply.embeddings!.map((item) => item.values!.length)).toEqual(expect.arrayContaining([256]))
  })

  test('models: list with auto-paging, get', async () => {
    const listed = await collectAll(await client().models.list({ config: { pageSize: 2 } }))
    expect(listed.map((model) => model.name)).toContain(`models/${SDK_MODELS.gemini}`)
    expect((await client().models.get({ model: SDK_MODELS.gemini })).name).toBe(`models/${SDK_MODELS.gemini}`)
  })
})
