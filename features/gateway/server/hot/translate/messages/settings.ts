import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import { drop } from '../dropped.ts'
import type { Choice, Format, Thinking } from '../form.ts'
import { effortOf } from '../openai-read.ts'
import { flag, has, join, mustText, number, object, refuse } from '../reading.ts'

/** Settings of a Messages request besides its turns: tools, format, thinking. */
export function choiceOf(choice: Raw | undefined): { choice: Choice | undefined; parallel: boolean | undefined } {
  if (choice === undefined) return { choice: undefined, parallel: undefined }
  const single = flag(choice, 'disable_parallel_tool_use', 'tool_choice')
  const parallel = single === undefined ? undefined : !single
  switch (choice['type']) {
    case 'auto':
    case 'none':
      return { choice: { mode: choice['type'], names: [] }, parallel }
    case 'any':
      return { choice: { mode: 'required', names: [] }, parallel }
    case 'tool':
      return { choice: { mode: 'required', names: [mustText(choice, 'name', 'tool_choice')] }, parallel }
    default:
      return refuse('tool_choice.type')
  }
}

export function formatOf(output: Raw | undefined, body: Raw): Format | undefined {
  const where = output !== undefined && has(output, 'format') ? 'output_config.format' : 'output_format'
  const format = (output && object(output, 'format', 'output_config')) ?? object(body, 'output_format', '')
  if (format === undefined) return undefined
  if (format['type'] !== 'json_schema' || !isRaw(format['schema'])) return refuse(join(where, 'type'))
  return { kind: 'schema', name: undefined, schema: format['schema'], strict: true }
}

export function thinkingOf(thinking: Raw | undefined, output: Raw | undefined): Thinking | undefined {
  const effort = output && effortOf(output, 'effort', 'output_config')
  if (thinking === undefined) return effort === undefined ? undefined : { effort, budget: undefined, shown: false }
  const shown = thinking['display'] !== 'omitted'
  switch (thinking['type']) {
    case 'disabled':
      return { effort: 'none', budget: undefined, shown: false }
    case 'adaptive':
      return { effort, budget: undefined, shown }
    case 'enabled':
      return { effort, budget: number(thinking, 'budget_tokens', 'thinking') ?? refuse('thinking.budget_tokens', 'is required'), shown }
    default:
      drop('thinking.type')
      return undefined
  }
}
