import { geminiUsage } from '../dialects/gemini.ts'
import { isRaw, totalInput, totalOutput } from '../usage.ts'
import type { Raw, Usage } from '../usage.ts'
import type { Answer, AnswerHead, Said, Seal, Stop, StreamReader, StreamWriter } from './form.ts'
import { list, obj, parsedArgs, shownSeal, str, uncarry } from './reading.ts'

const DIALECT = 'gemini-generate'
const STOPS: Readonly<Record<string, Stop>> = { STOP: 'end', MAX_TOKENS: 'length' }
const REASONS: Readonly<Record<Stop, string>> = {
  'end': 'STOP',
  'length': 'MAX_TOKENS',
  'stop-sequence': 'STOP',
  'tools': 'STOP',
  'refusal': 'SAFETY',
  'context': 'MAX_TOKENS',
}

/** One chunk after the other: calls come whole, and a stop with calls before it is a stop for tools. */
export function readGeminiStream(): StreamReader {
  let calls = 0
  return (event) => {
    if (isRaw(event['error'])) return [{ kind: 'error', message: str(event['error']['message']) }]
    const said: Said[] = []
    const candidate = list(event['candidates'])[0] ?? {}
    for (const part of list(obj(candidate['content'])['parts'])) {
      const signature = str(part['thoughtSignature'])
      const seal = signature === '' ? undefined : uncarry(signature, DIALECT)
      const call = part['functionCall']
      if (isRaw(call)) {
        said.push({ kind: 'call', id: str(call['id']) || `call_${crypto.randomUUID().slice(0, 8)}_${calls}`, name: str(call['name']), seal })
        said.push({ kind: 'args', text: JSON.stringify(call['args'] ?? {}) })
        calls++
        continue
      }
      const text = str(part['text'])
      if (text !== '') said.push({ kind: part['thought'] === true ? 'thinking' : 'text', text })
      if (seal !== undefined) said.push({ kind: 'seal', seal })
    }
    const reason = str(candidate['finishReason'])
    const blocked = str(obj(event['promptFeedback'])['blockReason'])
    if (reason !== '' || blocked !== '') {
      const stop = blocked === '' ? (STOPS[reason] ?? 'refusal') : 'refusal'
      said.push({ kind: 'stop', stop: stop === 'end' && calls > 0 ? 'tools' : stop, sequence: undefined })
    }
    const usage = isRaw(event['usageMetadata']) ? geminiUsage(event['usageMetadata']) : undefined
    if (usage !== undefined) said.push({ kind: 'usage', usage })
    return said
  }
}

export function readGeminiAnswer(body: Raw): readonly Said[] {
  return readGeminiStream()(body)
}

function usageFor(usage: Usage | undefined): Raw {
  if (usage === undefined) return {}
  const input = totalInput(usage)
  const output = totalOutput(usage)
  return {
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: usage.cachedInput || undefined,
      candidatesTokenCount: output - usage.reasoning,
      thoughtsTokenCount: usage.reasoning || undefined,
      totalTokenCount: input + output,
    },
  }
}

const callPart = (id: string, name: string, args: string, seal: Seal | undefined): Raw => ({
  functionCall: { id, name, args: parsedArgs(args) },
  thoughtSignature: seal && shownSeal(seal, DIALECT),
})

export function writeGeminiAnswer(answer: Answer, head: AnswerHead): Raw {
  const parts = answer.parts.map((part): Raw => {
    if (part.kind === 'call') return callPart(part.id, part.name, part.args, part.seal)
    if (part.kind === 'thinking') return { text: part.text, thought: true, thoughtSignature: part.seal && shownSeal(part.seal, DIALECT) }
    return { text: part.text }
  })
  return {
    candidates: [{ content: { parts, role: 'model' }, finishReason: REASONS[answer.stop], index: 0 }],
    ...usageFor(answer.usage),
    modelVersion: head.model,
    responseId: head.id,
  }
}

/** Without alt=sse the stream is one JSON array. Calls are whole here, so their arguments are gathered. */
export function writeGeminiStream(head: AnswerHead, options: { readonly sse: boolean }): StreamWriter {
  const tail = { modelVersion: head.model, responseId: head.id }
  let begun = false
  let stop: Stop = 'end'
  let usage: Usage | undefined
  let call: { readonly id: string; readonly name: string; readonly seal: Seal | undefined; args: string } | undefined
  const frame = (data: Raw): string => {
    const json = JSON.stringify(data)
    const before = begun ? ',\n' : '['
    begun = true
    return options.sse ? `data: ${json}\r\n\r\n` : `${before}${json}`
  }
  const chunk = (parts: readonly Raw[]): string => frame({ candidates: [{ content: { parts, role: 'model' }, index: 0 }], ...tail })
  const flushed = (): readonly Raw[] => {
    const parts = call === undefined ? [] : [callPart(call.id, call.name, call.args, call.seal)]
    call = undefined
    return parts
  }
  const speak = (part: Raw): string => chunk([...flushed(), part])
  return {
    said(said) {
      switch (said.kind) {
        case 'text':
        case 'refusal':
          return speak({ text: said.text })
        case 'thinking':
          return speak({ text: said.text, thought: true })
        case 'seal':
          return speak({ text: '', thought: true, thoughtSignature: shownSeal(said.seal, DIALECT) })
        case 'call': {
          const before = flushed()
          call = { id: said.id, name: said.name, seal: said.seal, args: '' }
          return before.length === 0 ? '' : chunk(before)
        }
        case 'args':
          if (call !== undefined) call.args += said.text
          return ''
        case 'stop':
          stop = said.stop
          return ''
        case 'usage':
          usage = said.usage
          return ''
        default:
          return ''
      }
    },
    end() {
      const parts = flushed()
      const content = parts.length === 0 ? { parts: [{ text: '' }], role: 'model' } : { parts, role: 'model' }
      const last = frame({ candidates: [{ content, finishReason: REASONS[stop], index: 0 }], ...usageFor(usage), ...tail })
      return options.sse ? last : `${last}\n]\n`
    },
    fail(message) {
      const failed = frame({ error: { code: 503, message, status: 'UNAVAILABLE' } })
      return options.sse ? failed : `${failed}\n]\n`
    },
  }
}
