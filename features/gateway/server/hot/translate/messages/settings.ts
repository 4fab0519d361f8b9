import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import { dropField } from '../dropped.ts'
import type { ToolChoice, Format, Thinking } from '../form.ts'
import { readEffort } from '../openai-read.ts'
import { readOptionalFlag, hasValue, joinFieldPath, readRequiredText, readOptionalNumber, readOptionalObject, rejectField } from '../reading.ts'

/** Settings of a Messages request besides its turns: tools, format, thinking. */
export function readMessagesChoice(choice: Raw | undefined): { choice: ToolChoice | undefined; parallel: boolean | undefined } {
  if (choice === undefined) return { choice: undefined, parallel: undefined }
  const single = readOptionalFlag(choice, 'disable_parallel_tool_use', 'tool_choice')
  const parallel = single === undefined ? undefined : !single
  switch (choice['type']) {
    case 'auto':
    case 'none':
      return { choice: { mode: choice['type'], names: [] }, parallel }
    case 'any':
      return { choice: { mode: 'required', names: [] }, parallel }
    case 'tool':
      return { choice: { mode: 'required', names: [readRequiredText(choice, 'name', 'tool_choice')] }, parallel }
    default:
      return rejectField('tool_choice.type')
  }
}

export function readMessagesFormat(output: Raw | undefined, body: Raw): Format | undefined {
  const where = output !== undefined && hasValue(output, 'format') ? 'output_config.format' : 'output_format'
  const format = (output && readOptionalObject(output, 'format', 'output_config')) ?? readOptionalObject(body, 'output_format', '')
  if (format === undefined) return undefined
  if (format['type'] !== 'json_schema' || !isRaw(format['schema'])) return rejectField(joinFieldPath(where, 'type'))
  return { kind: 'schema', name: undefined, schema: format['schema'], strict: true }
}

export function readMessagesThinking(thinking: Raw | undefined, output: Raw | undefined): Thinking | undefined {
  const effort = output && readEffort(output, 'effort', 'output_config')
  if (thinking === undefined) return effort === undefined ? undefined : { effort, budget: undefined, shown: false }
  const shown = thinking['display'] !== 'omitted'
  switch (thinking['type']) {
    case 'disabled':
      return { effort: 'none', budget: undefined, shown: false }
    case 'adaptive':
      return { effort, budget: undefined, shown }
    case 'enabled':
      return { effort, budget: readOptionalNumber(thinking, 'budget_tokens', 'thinking') ?? rejectField('thinking.budget_tokens', 'is required'), shown }
    default:
      dropField('thinking.type')
      return undefined
  }
}
