import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import { dropField } from '../dropped.ts'
import type { Thinking } from '../form.ts'
import { readEffort } from '../openai-read.ts'
import { hasValue, joinFieldPath, toObjectOrEmpty } from '../reading.ts'

/** Members of a Chat request in which clients of other vendors and routers request thinking. */
export const THINKING_KEYS = [
  ...['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking', 'thinking_budget', 'include_reasoning', 'chat_template_kwargs', 'extra_body', 'google'],
] as const

const THINKING_OFF: Thinking = { effort: 'none', budget: undefined, shown: false }
const positive = (value: unknown): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined)

/** Reads the thinking settings, in OpenAI's form or one of the others, and the name of their field. */
export function readChatThinking(body: Raw): { readonly thinking: Thinking | undefined; readonly at: string } {
  if (hasValue(body, 'reasoning_effort')) {
    const effort = readEffort(body, 'reasoning_effort', '')
    return { thinking: effort && { effort, budget: positive(body['thinking_budget']), shown: body['include_reasoning'] !== false }, at: 'reasoning_effort' }
  }
  if (isRaw(body['reasoning'])) return { thinking: routerThinking(body['reasoning']), at: 'reasoning' }
  if (isRaw(body['thinking'])) return { thinking: blockThinking(body['thinking']), at: 'thinking' }
  const template = toObjectOrEmpty(body['chat_template_kwargs'])
  for (const [holder, where] of [
    [body, ''],
    [template, 'chat_template_kwargs'],
  ] as const)
    for (const key of ['enable_thinking', 'thinking'])
      if (typeof holder[key] === 'boolean') {
        const budget = positive(body['thinking_budget'])
        return { thinking: holder[key] ? { effort: undefined, budget, shown: true } : THINKING_OFF, at: joinFieldPath(where, key) }
      }
  for (const [holder, where] of [
    [toObjectOrEmpty(toObjectOrEmpty(body['extra_body'])['google']), 'extra_body.google'],
    [toObjectOrEmpty(body['google']), 'google'],
  ] as const) {
    const config = holder['thinking_config'] ?? holder['thinkingConfig']
    if (isRaw(config)) return { thinking: googleThinking(config, where), at: `${where}.thinking_config` }
  }
  const budget = positive(body['thinking_budget'])
  return { thinking: budget === undefined ? undefined : { effort: undefined, budget, shown: true }, at: 'thinking_budget' }
}

/** OpenRouter's form. https://openrouter.ai/docs/use-cases/reasoning-tokens */
function routerThinking(reasoning: Raw): Thinking | undefined {
  if (reasoning['enabled'] === false) return THINKING_OFF
  const effort = readEffort(reasoning, 'effort', 'reasoning')
  const budget = positive(reasoning['max_tokens'])
  const shown = reasoning['exclude'] !== true
  return effort === undefined && budget === undefined && reasoning['enabled'] !== true ? undefined : { effort, budget, shown }
}

/** Anthropic's form, which others adopted without the budget. */
function blockThinking(thinking: Raw): Thinking | undefined {
  switch (thinking['type']) {
    case 'disabled':
      return THINKING_OFF
    case 'enabled':
    case 'adaptive':
      return { effort: undefined, budget: positive(thinking['budget_tokens']), shown: true }
    case 'auto':
      return undefined
    default:
      dropField('thinking.type')
      return undefined
  }
}

/** The form of Google's OpenAI-compatible API. https://ai.google.dev/gemini-api/docs/openai */
function googleThinking(config: Raw, where: string): Thinking | undefined {
  const budget = config['thinking_budget'] ?? config['thinkingBudget']
  if (budget === 0) return THINKING_OFF
  const level = config['thinking_level'] ?? config['thinkingLevel']
  const effort = typeof level === 'string' ? readEffort({ level }, 'level', where) : undefined
  return { effort, budget: positive(budget), shown: (config['include_thoughts'] ?? config['includeThoughts']) === true }
}
