import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelStandIn, type RunningModelStandIn } from '#stand-ins/models/test-server.ts'
import { sandboxesOf } from './index.ts'

const [sandbox] = sandboxesOf([])
let box: RunningModelStandIn
beforeAll(async () => {
  box = await startModelStandIn()
})
afterAll(() => box.stop())

test.each([
  ['/openai/v1/chat/completions', { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hi' }] }],
  ['/openai/v1/responses', { model: 'gpt-4.1', input: 'Hi' }],
  ['/anthropic/v1/messages', { model: 'claude', max_tokens: 400, messages: [{ role: 'user', content: 'Hi' }] }],
  ['/google/v1beta/models/gemini-2.0:generateContent', { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }],
])("lookup by call id gives the bill in the vendor's own form: %s", async (path, request) => {
  const headers = { 'authorization': 'Bearer sandbox', 'x-goog-api-key': 'sandbox', 'anthropic-version': '2023-06-01', 'x-mingxi-call-id': path }
  const answer = await fetch(box.url + path, { method: 'POST', body: JSON.stringify(request), headers })
  const body = (await answer.json()) as Record<string, unknown>
  const found = await sandbox.lookup!(`${box.url}/openai`, 'sandbox', path)
  expect(found).toMatchObject({ known: true, finished: true, usage: body['usage'] ?? body['usageMetadata'] })
  expect(await sandbox.lookup!(box.url, 'sandbox', 'never')).toEqual({ known: false, finished: false, usage: undefined })
})
