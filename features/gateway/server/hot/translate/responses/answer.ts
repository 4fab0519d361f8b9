import { parseOpenaiUsage } from '../../dialects/openai/usage.ts'
import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import type { AnswerEvent, StopReason, StreamReader } from '../form.ts'
import { readOpenaiLogprobs } from '../logprobs.ts'
import { toObjectList, toObjectOrEmpty, toTextOrEmpty } from '../reading.ts'
import { readReasoningSeal } from './read.ts'

/** The terminal response: its stop reason and its usage. Calls among its items mean that it waits for their results. */
function readEndEvents(response: Raw): AnswerEvent[] {
  const reason = toTextOrEmpty(toObjectOrEmpty(response['incomplete_details'])['reason'])
  const calls = toObjectList(response['output']).some((item) => item['type'] === 'function_call')
  const stop: StopReason = reason === 'content_filter' ? 'refusal' : reason !== '' ? 'length' : calls ? 'tools' : 'end'
  const usage = isRaw(response['usage']) ? parseOpenaiUsage(response['usage']) : undefined
  return [{ kind: 'stop', stop, sequence: undefined }, ...(usage === undefined ? [] : [{ kind: 'usage' as const, usage }])]
}

function readSealEvents(item: Raw): AnswerEvent[] {
  const seal = readReasoningSeal(item)
  return seal === undefined ? [] : [{ kind: 'seal', seal }]
}

export function readResponsesAnswer(body: Raw): readonly AnswerEvent[] {
  if (body['status'] === 'failed') return [{ kind: 'error', message: toTextOrEmpty(toObjectOrEmpty(body['error'])['message']) }]
  const said = toObjectList(body['output']).flatMap((item): AnswerEvent[] => {
    switch (item['type']) {
      case 'reasoning': {
        const text = toObjectList(item['summary'])
          .map((part) => toTextOrEmpty(part['text']))
          .join('\n')
        return [...(text === '' ? [] : [{ kind: 'thinking' as const, text }]), ...readSealEvents(item)]
      }
      case 'message':
        return toObjectList(item['content']).map((part) =>
          part['type'] === 'refusal'
            ? { kind: 'refusal', text: toTextOrEmpty(part['refusal']) }
            : { kind: 'text', text: toTextOrEmpty(part['text']), logprobs: readOpenaiLogprobs(part['logprobs']) },
        )
      case 'function_call':
        return [
          { kind: 'call', id: toTextOrEmpty(item['call_id']), name: toTextOrEmpty(item['name']), seal: undefined },
          { kind: 'args', text: toTextOrEmpty(item['arguments']) || '{}' },
        ]
      default:
        return []
    }
  })
  return [...said, ...readEndEvents(body)]
}

export function readResponsesStream(): StreamReader {
  let calls = false
  let args = ''
  return (event) => {
    switch (event['type']) {
      case 'response.output_text.delta':
        return [{ kind: 'text', text: toTextOrEmpty(event['delta']), logprobs: readOpenaiLogprobs(event['logprobs']) }]
      case 'response.refusal.delta':
        return [{ kind: 'refusal', text: toTextOrEmpty(event['delta']) }]
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return [{ kind: 'thinking', text: toTextOrEmpty(event['delta']) }]
      case 'response.output_item.added': {
        const item = toObjectOrEmpty(event['item'])
        if (item['type'] !== 'function_call') return []
        calls = true
        args = ''
        return [{ kind: 'call', id: toTextOrEmpty(item['call_id']), name: toTextOrEmpty(item['name']), seal: undefined }]
      }
      case 'response.function_call_arguments.delta':
        args = 'seen'
        return [{ kind: 'args', text: toTextOrEmpty(event['delta']) }]
      case 'response.output_item.done': {
        const item = toObjectOrEmpty(event['item'])
        if (item['type'] === 'reasoning') return readSealEvents(item)
        return item['type'] === 'function_call' && args === '' ? [{ kind: 'args', text: toTextOrEmpty(item['arguments']) || '{}' }] : []
      }
      case 'response.completed':
      case 'response.incomplete': {
        const said = readEndEvents(toObjectOrEmpty(event['response']))
        return said.map((one) => (one.kind === 'stop' && one.stop === 'end' && calls ? { ...one, stop: 'tools' } : one))
      }
      case 'response.failed':
        return [{ kind: 'error', message: toTextOrEmpty(toObjectOrEmpty(toObjectOrEmpty(event['response'])['error'])['message']) }]
      case 'error':
        return [{ kind: 'error', message: toTextOrEmpty(event['message']) || toTextOrEmpty(toObjectOrEmpty(event['error'])['message']) }]
      default:
        return []
    }
  }
}
