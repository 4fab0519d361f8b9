import type { Block, Tool } from './ask.ts'
import { obj, objects, str, type Json, type JsonObject } from './json.ts'
import { refuse } from '../write/errors.ts'
import { MESSAGE_TOKENS, MEDIA_TOKENS, countTokens } from '../tokens.ts'

/** Parts of a prompt that both OpenAI dialects share. */
export interface Content {
  readonly text: string
  readonly images: number
  readonly tokens: number
  readonly raw: string
}

const TEXT = new Set(['text', 'input_text', 'output_text', 'refusal', 'summary_text', 'reasoning_text'])

export function readContent(content: Json | undefined, param: string): Content {
  if (typeof content === 'string') return { text: content, images: 0, tokens: countTokens(content), raw: content }
  let text = ''
  let images = 0
  let tokens = 0
  for (const part of objects(content)) {
    const type = str(part['type']) ?? ''
    if (TEXT.has(type)) {
      const piece = str(part['text']) ?? str(part['refusal']) ?? ''
      text += text ? `\n${piece}` : piece
      tokens += countTokens(piece)
    } else if (type === 'image_url' || type === 'input_image') {
      const detail = str(part['detail']) ?? str(obj(part['image_url'])['detail'])
      tokens += detail === 'low' ? MEDIA_TOKENS.openaiLow : MEDIA_TOKENS.openai
      images++
    } else if (type === 'file' || type === 'input_file' || type === 'input_audio') {
      tokens += MEDIA_TOKENS.document
    } else {
      refuse(`Invalid value: '${type}'.`, { param: `${param}.type`, code: 'invalid_value' })
    }
  }
  return { text, images, tokens, raw: typeof content === 'string' ? content : JSON.stringify(content ?? '') }
}

export function messageBlock(role: string, content: Content, extra = ''): Block {
  return { text: `${role}\n${content.raw}${extra}`, tokens: MESSAGE_TOKENS + content.tokens + countTokens(extra) }
}

export function toolBlock(tools: readonly JsonObject[]): Block[] {
  if (!tools.length) return []
  const text = JSON.stringify(tools)
  return [{ text, tokens: countTokens(text) }]
}

/** Chat nests the function, Responses does not. Hosted tools are counted but never called. */
export function readTools(tools: readonly JsonObject[]): Tool[] {
  return tools
    .filter((tool) => tool['type'] === 'function')
    .map((tool) => {
      const it = tool['function'] ? obj(tool['function']) : tool
      const name = str(it['name'])
      if (!name) refuse('Missing required parameter: name of a function tool.', { param: 'tools[0].function.name', code: 'missing_required_parameter' })
      return { name: name!, description: str(it['description']) ?? '', schema: obj(it['parameters']) }
    })
}

export function readToolChoice(choice: Json | undefined): 'auto' | 'none' | 'required' | string[] {
  if (choice === undefined || choice === null || choice === 'auto') return 'auto'
  if (choice === 'none' || choice === 'required') return choice
  const it = obj(choice)
  if (it['type'] === 'allowed_tools') {
    const allowed = it['allowed_tools'] ? obj(it['allowed_tools']) : it
    return obj(allowed)['mode'] === 'required' ? objects(allowed['tools']).map((tool) => str(tool['name']) ?? str(obj(tool['function'])['name']) ?? '') : 'auto'
  }
  return [str(it['name']) ?? str(obj(it['function'])['name']) ?? '']
}

/** Thoughts by effort; models that do not reason have none. */
export function thoughtsFor(model: string, effort: string | undefined): number {
  if (!/^(o[1-9]|gpt-[5-9])|reason|think/.test(model)) return 0
  const tokens: Record<string, number> = { none: 0, minimal: 0, low: 16, medium: 32, high: 64, xhigh: 128 }
  return tokens[effort ?? 'medium'] ?? 32
}
