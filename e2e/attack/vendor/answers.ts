import type { WorstCase } from './worst-case.ts'
import { VISIBLE_WORD_TOKENS, VISIBLE_ANSWER_TOKENS } from './worst-case.ts'

/** A piece of a response: the text sent, and its number of visible tokens. */
export interface AnswerPiece {
  readonly text: string
  readonly tokens: number
}

const WORD = 'hello '
/** A character of four bytes, which the tokenizers count as four tokens. */
const RARE = '\u{12031}'
const RARE_RUN = 4

/** The visible text: a few words if most output is hidden, otherwise characters that cost one token per byte. */
function pieces(most: WorstCase): AnswerPiece[] {
  if (most.hidden) return Array.from({ length: VISIBLE_WORD_TOKENS }, () => ({ text: WORD, tokens: 1 }))
  const made: AnswerPiece[] = []
  for (let left = Math.min(VISIBLE_ANSWER_TOKENS, most.used['output'] ?? 0); left > 0; left -= RARE_RUN * 4)
    made.push(left >= RARE_RUN * 4 ? { text: RARE.repeat(RARE_RUN), tokens: RARE_RUN * 4 } : { text: 'a '.repeat(left), tokens: left })
  return made
}

const readUsed = (most: WorstCase, name: string): number => most.used[name] ?? 0
const inputOf = (most: WorstCase): number =>
  ['input', 'cachedInput', 'cacheWrite5m', 'cacheWrite1h', 'audioInput', 'imageInput'].reduce((sum, name) => sum + readUsed(most, name), 0)
const outputOf = (most: WorstCase): number => readUsed(most, 'output') + readUsed(most, 'reasoning')
const event = (data: object, name?: string): string => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
const joinPieces = (most: WorstCase): string =>
  pieces(most)
    .map(({ text }) => text)
    .join('')

/** `strange`: the usage object has an unknown member. `none`: no usage object. */
export type UsageReporting = 'all' | 'none' | 'strange'
const reportUsage = (telling: UsageReporting, usage: object): object | undefined =>
  telling === 'none' ? undefined : telling === 'strange' ? { ...usage, dream_tokens: 1_000 } : usage

export interface VendorAnswer {
  /** A complete response. */
  readonly json: object
  /** A stream, event by event. */
  readonly events: readonly AnswerPiece[]
}

const toSilentPiece = (text: string): AnswerPiece => ({ text, tokens: 0 })

export function buildChatAnswer(most: WorstCase, telling: UsageReporting, body: any): VendorAnswer {
  const base = { id: 'chatcmpl-attack', created: 1_795_000_000, model: most.tariff.id, service_tier: most.tier }
  const usage = reportUsage(telling, {
    prompt_tokens: inputOf(most),
    completion_tokens: outputOf(most),
    total_tokens: inputOf(most) + outputOf(most),
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: readUsed(most, 'audioInput'), cache_write_tokens: readUsed(most, 'cacheWrite5m') },
    completion_tokens_details: {
      reasoning_tokens: readUsed(most, 'reasoning'),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: Math.max(0, readUsed(most, 'output') - VISIBLE_ANSWER_TOKENS),
    },
  })
  const chunk = (delta: object, finish: string | null = null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const copies = Number(body.n ?? 1)
  const events = [toSilentPiece(event(chunk({ role: 'assistant', content: '' })))]
  // One of several choices is sent in full; the billed output of the others appears in the usage only.
  for (const { text, tokens } of pieces(most)) events.push({ text: event(chunk({ content: text })), tokens: tokens })
  events.push(toSilentPiece(event(chunk({}, 'stop'))))
  if (body.stream_options?.include_usage && usage) events.push(toSilentPiece(event({ ...base, object: 'chat.completion.chunk', choices: [], usage })))
  events.push(toSilentPiece('data: [DONE]\n\n'))
  const choices = Array.from({ length: copies }, (_, index) => ({
    index,
    message: { role: 'assistant', content: index ? '' : joinPieces(most) },
    finish_reason: 'stop',
  }))
  return { json: { ...base, object: 'chat.completion', choices, usage }, events }
}

const CALLS: Readonly<Record<string, object>> = {
  search: { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'a' } },
  preview: { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'a' } },
  files: { type: 'file_search_call', status: 'completed', queries: ['a'], results: null },
  code: { type: 'code_interpreter_call', status: 'completed', code: '1', container_id: 'cntr_attack', outputs: [] },
}

export function buildResponsesAnswer(most: WorstCase, telling: UsageReporting, body: any, id: string): VendorAnswer {
  const usage = reportUsage(telling, {
    input_tokens: inputOf(most),
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: readUsed(most, 'cacheWrite5m') },
    output_tokens: outputOf(most),
    output_tokens_details: { reasoning_tokens: readUsed(most, 'reasoning') },
    total_tokens: inputOf(most) + outputOf(most),
  })
  const calls = Object.entries(most.tools).flatMap(([kind, times]) =>
    CALLS[kind] ? Array.from({ length: times }, (_, n) => ({ id: `${kind}_${n}`, ...CALLS[kind] })) : [],
  )
  const message = {
    id: 'msg_attack',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: joinPieces(most), annotations: [] }],
  }
  const searches = (most.tools['search'] ?? 0) + (most.tools['preview'] ?? 0)
  const base = { id, object: 'response', created_at: 1_795_000_000, model: most.tariff.id, service_tier: most.tier, tools: body.tools ?? [], error: null }
  const json = {
    ...base,
    status: 'completed',
    output: [{ id: 'rs_attack', type: 'reasoning', summary: [] }, ...calls, message],
    usage,
    ...(calls.length ? { tool_usage: { web_search: { num_requests: searches } } } : {}),
  }
  let number = 0
  const say = (type: string, data: object): string => event({ type, sequence_number: number++, ...data }, type)
  const events = [toSilentPiece(say('response.created', { response: { ...base, status: 'in_progress', output: [], usage: null } }))]
  for (const [at, item] of calls.entries())
    events.push(
      toSilentPiece(say('response.output_item.added', { output_index: at, item })),
      toSilentPiece(say('response.output_item.done', { output_index: at, item })),
    )
  events.push(toSilentPiece(say('response.output_item.added', { output_index: calls.length, item: { ...message, content: [] } })))
  for (const { text, tokens } of pieces(most))
    events.push({ text: say('response.output_text.delta', { item_id: message.id, output_index: calls.length, content_index: 0, delta: text }), tokens })
  events.push(
    toSilentPiece(say('response.output_item.done', { output_index: calls.length, item: message })),
    toSilentPiece(say('response.completed', { response: json })),
  )
  return { json, events }
}

const buildClaudeUsage = (most: WorstCase): object => ({
  input_tokens: readUsed(most, 'input'),
  cache_creation_input_tokens: readUsed(most, 'cacheWrite5m') + readUsed(most, 'cacheWrite1h'),
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: readUsed(most, 'cacheWrite5m'), ephemeral_1h_input_tokens: readUsed(most, 'cacheWrite1h') },
  service_tier: most.tier,
  inference_geo: most.geo,
  speed: most.speed,
})

export function buildClaudeAnswer(most: WorstCase, telling: UsageReporting): VendorAnswer {
  const iterations = [
    { type: 'message', input_tokens: readUsed(most, 'input'), output_tokens: outputOf(most), cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    ...most.steps.map((step) => ({ type: step.type, model: step.tariff.id, input_tokens: step.used['input'] ?? 0, output_tokens: step.used['output'] ?? 0 })),
  ]
  const tools = { web_search_requests: most.tools['web_search'] ?? 0, web_fetch_requests: most.tools['web_fetch'] ?? 0 }
  const last = {
    output_tokens: outputOf(most),
    output_tokens_details: { thinking_tokens: readUsed(most, 'reasoning') },
    server_tool_use: Object.keys(most.tools).length ? tools : null,
    ...(most.steps.length ? { iterations } : {}),
  }
  const base = { id: 'msg_attack', type: 'message', role: 'assistant', model: most.tariff.id, stop_sequence: null }
  const blocks: object[] = most.tools['code_execution']
    ? [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: {} },
        {
          type: 'code_execution_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: { type: 'code_execution_result', stdout: '', stderr: '', return_code: 0, content: [] },
        },
      ]
    : []
  const container = most.tools['code_execution'] ? { container: { id: 'container_attack', expires_at: '2026-11-22T18:00:00Z' } } : {}
  const usage = reportUsage(telling, { ...buildClaudeUsage(most), ...last })
  const json = { ...base, ...container, content: [...blocks, { type: 'text', text: joinPieces(most) }], stop_reason: 'end_turn', usage }
  const started = reportUsage(telling, { ...buildClaudeUsage(most), output_tokens: 1 })
  const events = [toSilentPiece(event({ type: 'message_start', message: { ...base, content: [], stop_reason: null, usage: started } }, 'message_start'))]
  let index = 0
  for (const block of blocks)
    events.push(
      toSilentPiece(event({ type: 'content_block_start', index, content_block: block }, 'content_block_start')),
      toSilentPiece(event({ type: 'content_block_stop', index: index++ }, 'content_block_stop')),
    )
  events.push(toSilentPiece(event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }, 'content_block_start')))
  for (const { text, tokens } of pieces(most))
    events.push({ text: event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }, 'content_block_delta'), tokens })
  events.push(toSilentPiece(event({ type: 'content_block_stop', index }, 'content_block_stop')))
  const ending = reportUsage(telling, last)
  events.push(
    toSilentPiece(
      event(
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null, ...container }, ...(ending ? { usage: ending } : {}) },
        'message_delta',
      ),
    ),
  )
  events.push(toSilentPiece(event({ type: 'message_stop' }, 'message_stop')))
  return { json, events }
}

/** Builds Gemini's response. Every chunk carries running usage; only the last one carries all of it. */
export function buildGeminiAnswer(most: WorstCase, telling: UsageReporting): VendorAnswer {
  const toolUse = most.tools['urlcontext'] || most.tools['codeexecution'] || most.tools['filesearch'] ? most.tariff.window : 0
  const prompt = inputOf(most) - toolUse
  const candidates = readUsed(most, 'output')
  const thoughts = readUsed(most, 'reasoning')
  const audio = readUsed(most, 'audioInput')
  const modalities = [{ modality: 'TEXT', tokenCount: prompt - audio }, ...(audio ? [{ modality: 'AUDIO', tokenCount: audio }] : [])]
  const level = most.tier === 'priority' ? { trafficType: 'ON_DEMAND_PRIORITY' } : most.tier === 'flex' ? { trafficType: 'ON_DEMAND_FLEX' } : {}
  const all = {
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    thoughtsTokenCount: thoughts,
    totalTokenCount: prompt + candidates + thoughts + toolUse,
    promptTokensDetails: modalities,
    ...level,
  }
  const usage = reportUsage(telling, { ...all, ...(toolUse ? { toolUsePromptTokenCount: toolUse } : {}) })
  const queries = Array.from({ length: Math.max(most.tools['googlesearch'] ?? 0, most.tools['googlesearchretrieval'] ?? 0) }, (_, n) => `q${n}`)
  const places = most.tools['googlemaps'] ? { groundingChunks: [{ maps: { uri: 'https://maps.google.com/?cid=1', title: 'a', placeId: 'places/1' } }] } : {}
  const grounding = queries.length || most.tools['googlemaps'] ? { groundingMetadata: { webSearchQueries: queries, ...places } } : {}
  const base = { modelVersion: most.tariff.id, responseId: 'attack' }
  const of = (text: string, finish: object = {}) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...finish }], ...base })
  const events = pieces(most).map(({ text, tokens }): AnswerPiece => ({
    text: event({ ...of(text), ...(telling === 'none' ? {} : { usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 } }) }),
    tokens,
  }))
  const last = { ...of('', { finishReason: 'STOP', ...grounding }), usageMetadata: usage }
  events.push(toSilentPiece(event(last)))
  return { json: { ...of(joinPieces(most), { finishReason: 'STOP', ...grounding }), usageMetadata: usage }, events }
}
