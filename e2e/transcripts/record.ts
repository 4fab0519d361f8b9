import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startModelStandIn } from '#stand-ins/models/test-server.ts'
import { FIXTURES_FOLDER } from './transcript.ts'
import type { Transcript } from './transcript.ts'
import type { Dialect } from '#features/gateway/server/hot/deps.ts'

/** Requests to record: each dialect, streamed or not, as text, tools and thinking; "tiny" ones for cuts at every byte. */
interface Recording {
  readonly name: string
  readonly dialect: Dialect
  readonly stream: boolean
  readonly model: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

const TEXT = '你好，account「账本」是什么？😀 [[sandbox:pieces=6]]'
const TOOLS = 'In parallel: what is the weather in Paris and the weather in London?'
const THINK = 'Think about holds. [[sandbox:pieces=8,redacted=1]]'
const TINY = 'Hi [[sandbox:tokens=2,pieces=1]]'
const KINDS = { text: TEXT, tools: TOOLS, thinking: THINK, tiny: TINY } as const
type RecordingKind = keyof typeof KINDS

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const weather = { name: 'get_weather', description: 'The current weather of a city' }

function chat(kind: RecordingKind, stream: boolean): Partial<Recording> {
  return {
    dialect: 'openai-chat', path: '/v1/chat/completions', model: kind === 'thinking' ? 'gpt-5.2' : 'gpt-4.1-mini',
    body: {
      messages: [{ role: 'user', content: KINDS[kind] }],
      ...(kind === 'tools' ? { tools: [{ type: 'function', function: { ...weather, parameters } }] } : {}),
      ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    },
  }
}

function responses(kind: RecordingKind, stream: boolean): Partial<Recording> {
  return {
    dialect: 'openai-responses', path: '/v1/responses', model: kind === 'thinking' ? 'gpt-5.2' : 'gpt-4.1-mini',
    body: {
      input: KINDS[kind], store: false,
      ...(kind === 'tools' ? { tools: [{ type: 'function', ...weather, parameters, strict: true }] } : {}),
      ...(kind === 'thinking' ? { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] } : {}),
      ...(stream ? { stream: true } : {}),
    },
  }
}

function messages(kind: RecordingKind, stream: boolean): Partial<Recording> {
  return {
    dialect: 'anthropic-messages', path: '/v1/messages', model: 'claude-sonnet-5-5', headers: { 'anthropic-version': '2023-06-01' },
    body: {
      max_tokens: 2000, messages: [{ role: 'user', content: KINDS[kind] }],
      ...(kind === 'tools' ? { tools: [{ ...weather, input_schema: parameters }] } : {}),
      ...(kind === 'thinking' ? { thinking: { type: 'enabled', budget_tokens: 1024 } } : {}),
      ...(stream ? { stream: true } : {}),
    },
  }
}

function gemini(kind: RecordingKind, stream: boolean, array = false): Partial<Recording> {
  const model = kind === 'thinking' || kind === 'tools' ? 'gemini-3.8-flash' : 'gemini-2.5-flash'
  const config = kind === 'thinking' ? { thinkingConfig: { includeThoughts: true } } : kind === 'tiny' ? { thinkingConfig: { thinkingBudget: 0 } } : undefined
  return {
    dialect: 'gemini-generate', model,
    path: `/v1beta/models/${model}:${stream ? `streamGenerateContent${array ? '' : '?alt=sse'}` : 'generateContent'}`,
    body: {
      contents: [{ role: 'user', parts: [{ text: KINDS[kind] }] }],
      ...(kind === 'tools' ? { tools: [{ functionDeclarations: [{ ...weather, parametersJsonSchema: parameters }] }] } : {}),
      ...(config ? { generationConfig: config } : {}),
    },
  }
}

function recording(name: string, stream: boolean, made: Partial<Recording>): Recording {
  const { dialect, path, model, body, headers } = made as Recording
  const inPath = dialect === 'gemini-generate' || dialect === 'gemini-embed'
  return { name, dialect, stream, model, path, headers: headers ?? {}, body: inPath ? body : { model, ...body } }
}

function listRecordings(): Recording[] {
  const found: Recording[] = []
  for (const stream of [false, true]) {
    for (const kind of stream ? ['text', 'tools', 'thinking', 'tiny'] as const : ['text', 'tools', 'thinking'] as const) {
      const suffix = `${stream ? 'stream' : 'whole'}-${kind}`
      found.push(recording(`chat-${suffix}`, stream, chat(kind, stream)))
      found.push(recording(`responses-${suffix}`, stream, responses(kind, stream)))
      found.push(recording(`messages-${suffix}`, stream, messages(kind, stream)))
      found.push(recording(`gemini-${suffix}`, stream, gemini(kind, stream)))
      if (stream) found.push(recording(`gemini-array-${suffix}`, stream, gemini(kind, stream, true)))
    }
  }
  found.push(recording('embeddings-whole', false, { dialect: 'openai-embeddings', path: '/v1/embeddings', model: 'text-embedding-3-small', body: { input: '账本', dimensions: 8 } }))
  found.push(recording('gemini-embed-whole', false, { dialect: 'gemini-embed', path: '/v1beta/models/gemini-embedding-2:embedContent', model: 'gemini-embedding-2', body: { content: { parts: [{ text: '账本' }] }, outputDimensionality: 8 } }))
  return found
}

export const RECORDINGS: readonly Recording[] = listRecordings()

/** The clock is fixed during recording, so that another recording changes nothing. */
const NOW = new Date('2026-11-20T00:00:00Z')

export async function recordTranscripts(): Promise<Transcript[]> {
  const box = await startModelStandIn({ clock: { now: () => NOW } })
  const found: Transcript[] = []
  for (const { name, dialect, stream, model, path, headers, body } of RECORDINGS) {
    const answer = await fetch(box.url + path, {
      method: 'POST', body: JSON.stringify(body),
      headers: { ...headers, authorization: 'Bearer sandbox', 'content-type': 'application/json', 'x-mingxi-call-id': name },
    })
    const text = await answer.text()
    const { input, cached, output, reasoning } = (await box.closed(name)).billed
    found.push({
      name, dialect, stream, model, request: { path, headers, body },
      response: { status: answer.status, contentType: answer.headers.get('content-type') ?? '', body: text },
      billed: { input, cached, output, reasoning },
    })
  }
  await box.stop()
  return found
}

/** `node e2e/transcripts/record.ts` rewrites the fixtures. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  mkdirSync(FIXTURES_FOLDER, { recursive: true })
  for (const transcript of await recordTranscripts()) writeFileSync(join(FIXTURES_FOLDER, `${transcript.name}.json`), `${JSON.stringify(transcript, null, 1)}\n`)
}
