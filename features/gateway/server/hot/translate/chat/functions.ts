import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import { toObjectList, toTextOrEmpty } from '../reading.ts'

/** The member of the older form that says it was used. */
const LEGACY_KEYS = ['functions', 'function_call', 'messages'] as const

/**
 * Functions, as tools were called before they could be several at once: the request in today's words. Older clients keep them in their
 * histories as well, without ids: a result belongs to the call before it. https://platform.openai.com/docs/api-reference/chat/create
 */
export function convertFunctions(body: Raw): Raw {
  const functions = toObjectList(body['functions'])
  const messages = body['messages']
  const isOlder =
    functions.length > 0 || (Array.isArray(messages) && messages.some((one) => isRaw(one) && (isRaw(one['function_call']) || one['role'] === 'function')))
  if (!isOlder) return body
  const rest = Object.fromEntries(Object.entries(body).filter(([key]) => !LEGACY_KEYS.some((one) => one === key)))
  const choice = body['function_call']
  return {
    ...rest,
    messages: Array.isArray(messages) ? convertMessages(messages) : messages,
    ...(functions.length === 0 ? {} : { tools: functions.map((it) => ({ type: 'function', function: it })) }),
    ...(choice === undefined ? {} : { tool_choice: isRaw(choice) ? { type: 'function', function: { name: choice['name'] } } : choice }),
  }
}

function convertMessages(messages: readonly unknown[]): unknown[] {
  let id = ''
  return messages.map((message, at) => {
    if (!isRaw(message)) return message
    const call = message['function_call']
    if (isRaw(call)) {
      id = `call_${at}`
      return {
        ...message,
        function_call: undefined,
        tool_calls: [{ id, type: 'function', function: { name: toTextOrEmpty(call['name']), arguments: call['arguments'] } }],
      }
    }
    return message['role'] === 'function' ? { ...message, role: 'tool', tool_call_id: id } : message
  })
}
