import { openaiUsage } from '../../dialects/openai/usage.ts'
import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import type { Said, Stop, StreamReader } from '../form.ts'
import { readOpenaiLogprobs } from '../logprobs.ts'
import { list, obj, str } from '../reading.ts'
import { sealOf } from './read.ts'

/** The terminal response: why it ended and what it used. Calls among its items mean that it waits for their results. */
function endSaid(response: Raw): Said[] {
  const reason = str(obj(response['incomplete_details'])['reason'])
  const calls = list(response['output']).some((item) => item['type'] === 'function_call')
  const stop: Stop = reason === 'content_filter' ? 'refusal' : reason !== '' ? 'length' : calls ? 'tools' : 'end'
  const usage = isRaw(response['usage']) ? openaiUsage(response['usage']) : undefined
  return [{ kind: 'stop', stop, sequence: undefined }, ...(usage === undefined ? [] : [{ kind: 'usage' as const, usage }])]
}

function sealed(item: Raw): Said[] {
  const seal = sealOf(item)
  return seal === undefined ? [] : [{ kind: 'seal', seal }]
}

export function readResponsesAnswer(body: Raw): readonly Said[] {
  if (body['status'] === 'failed') return [{ kind: 'error', message: str(obj(body['error'])['message']) }]
  const said = list(body['output']).flatMap((item): Said[] => {
    switch (item['type']) {
      case 'reasoning': {
        const text = list(item['summary'])
          .map((part) => str(part['text']))
          .join('\n')
        return [...(text === '' ? [] : [{ kind: 'thinking' as const, text }]), ...sealed(item)]
      }
      case 'message':
        return list(item['content']).map((part) =>
          part['type'] === 'refusal'
            ? { kind: 'refusal', text: str(part['refusal']) }
            : { kind: 'text', text: str(part['text']), logprobs: readOpenaiLogprobs(part['logprobs']) },
        )
      case 'function_call':
        return [
          { kind: 'call', id: str(item['call_id']), name: str(item['name']), seal: undefined },
          { kind: 'args', text: str(item['arguments']) || '{}' },
        ]
      default:
        return []
    }
  })
  return [...said, ...endSaid(body)]
}

export function readResponsesStream(): StreamReader {
  let calls = false
  let args = ''
  return (event) => {
    switch (event['type']) {
      case 'response.output_text.delta':
        return [{ kind: 'text', text: str(event['delta']), logprobs: readOpenaiLogprobs(event['logprobs']) }]
      case 'response.refusal.delta':
        return [{ kind: 'refusal', text: str(event['delta']) }]
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return [{ kind: 'thinking', text: str(event['delta']) }]
      case 'response.output_item.added': {
        const item = obj(event['item'])
        if (item['type'] !== 'function_call') return []
        calls = true
        args = ''
        return [{ kind: 'call', id: str(item['call_id']), name: str(item['name']), seal: undefined }]
      }
      case 'response.function_call_arguments.delta':
        args = 'seen'
        return [{ kind: 'args', text: str(event['delta']) }]
      case 'response.output_item.done': {
        const item = obj(event['item'])
        if (item['type'] === 'reasoning') return sealed(item)
        return item['type'] === 'function_call' && args === '' ? [{ kind: 'args', text: str(item['arguments']) || '{}' }] : []
      }
      case 'response.completed':
      case 'response.incomplete': {
        const said = endSaid(obj(event['response']))
        return said.map((one) => (one.kind === 'stop' && one.stop === 'end' && calls ? { ...one, stop: 'tools' } : one))
      }
      case 'response.failed':
        return [{ kind: 'error', message: str(obj(obj(event['response'])['error'])['message']) }]
      case 'error':
        return [{ kind: 'error', message: str(event['message']) || str(obj(event['error'])['message']) }]
      default:
        return []
    }
  }
}
