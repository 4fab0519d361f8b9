import type { Ask, Block } from './ask.ts'
import { sealIsGenuine } from './ask.ts'
import { refuse } from '../write/errors.ts'
import { isObject, toList, num, obj, objects, str, type Json, type JsonObject } from './json.ts'
import { withoutMarkers, type Knobs } from './knobs.ts'
import { messageBlock, readContent, readToolChoice, readTools, thoughtsFor, toolBlock } from './openai-parts.ts'
import type { ResponseStore } from '../response-store.ts'
import { MESSAGE_TOKENS, REQUEST_TOKENS, countTokens } from '../tokens.ts'

interface Turns {
  readonly blocks: Block[]
  asked: string
  images: number
  results: string[]
  readonly calls: Set<string>
}

export function readResponse(body: JsonObject, knobsOf: (text: string) => Knobs, store: ResponseStore): { ask: Ask; items: readonly Json[] } {
  const model = str(body['model']) ?? refuse("Missing required parameter: 'model'.", { param: 'model', code: 'missing_required_parameter' })
  const cap = num(body['max_output_tokens'])
  if (cap !== undefined && cap < 16)
    refuse(`Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${cap} instead.`, {
      param: 'max_output_tokens',
      code: 'integer_below_min_value',
    })
  const items = [...before(body, store), ...own(body)]
  if (!items.length) refuse("Missing required parameter: 'input'.", { param: 'input', code: 'missing_required_parameter' })
  const tools = objects(body['tools'])
  const format = obj(obj(body['text'])['format'])
  const turns: Turns = { blocks: [{ text: '', tokens: REQUEST_TOKENS }, ...toolBlock(tools)], asked: '', images: 0, results: [], calls: new Set() }
  if (format['type'] === 'json_schema') turns.blocks.push({ text: JSON.stringify(format), tokens: countTokens(JSON.stringify(format)) })
  const instructions = str(body['instructions'])
  if (instructions) turns.blocks.push(messageBlock('system', readContent(instructions, 'instructions')))
  for (const [at, item] of items.entries()) readItem(turns, obj(item), at, store)
  const knobs = knobsOf(turns.asked)
  return {
    items,
    ask: {
      dialect: 'openai-responses',
      model,
      stream: body['stream'] === true,
      knobs,
      blocks: turns.blocks,
      question: withoutMarkers(turns.asked),
      images: turns.images,
      toolResults: turns.results,
      tools: readTools(tools),
      toolChoice: readToolChoice(body['tool_choice']),
      parallelTools: body['parallel_tool_calls'] !== false,
      maxTokens: cap,
      stops: [],
      answers: 1,
      json: format['type'] === 'json_schema' ? obj(format['schema']) : format['type'] === 'json_object' ? 'any' : 'no',
      thinking: knobs.thinking ?? thoughtsFor(model, str(obj(body['reasoning'])['effort'])),
    },
  }
}

function own(body: JsonObject): readonly Json[] {
  const input = body['input']
  return typeof input === 'string' ? [{ role: 'user', content: input }] : toList(input)
}

function before(body: JsonObject, store: ResponseStore): readonly Json[] {
  const id = str(body['previous_response_id'])
  if (!id) return []
  return (
    store.conversation(id) ?? refuse(`Previous response with id '${id}' not found.`, { param: 'previous_response_id', code: 'previous_response_not_found' })
  )
}

function readItem(turns: Turns, item: JsonObject, at: number, store: ResponseStore): void {
  const type = str(item['type']) ?? 'message'
  if (type === 'item_reference') {
    const id = str(item['id']) ?? ''
    const known = store.item(id) ?? refuse(`Item with id '${id}' not found.`, { param: 'input' }, 'not-found')
    return readItem(turns, known, at, store)
  }
  if (type === 'message') {
    const content = readContent(item['content'], `input[${at}].content`)
    turns.blocks.push(messageBlock(str(item['role']) ?? 'user', content))
    turns.images += content.images
    if (item['role'] === 'user') turns.asked = content.text
    if (item['role'] === 'user') turns.results = []
    return
  }
  if (type === 'reasoning') checkSealed(item)
  if (type === 'function_call') turns.calls.add(str(item['call_id']) ?? '')
  if (type === 'function_call_output') {
    const id = str(item['call_id']) ?? ''
    if (!turns.calls.has(id)) refuse(`No tool call found for function call output with call_id ${id}.`, { param: 'input' })
    turns.results.push(
      isObject(item['output']) || Array.isArray(item['output']) ? readContent(item['output'], `input[${at}].output`).text : (str(item['output']) ?? ''),
    )
  }
  const text = JSON.stringify(item)
  turns.blocks.push({ text, tokens: MESSAGE_TOKENS + countTokens(text) })
}

/** Thoughts that are sent back must be the ones that were given out. */
function checkSealed(item: JsonObject): void {
  const sealed = str(item['encrypted_content'])
  if (sealed && !sealIsGenuine(sealed)) {
    refuse(`The encrypted content for item ${str(item['id']) ?? ''} could not be verified.`, { code: 'invalid_encrypted_content' })
  }
}
