import { parseGeminiUsage } from '../../dialects/gemini/gemini.ts'
import { isRaw, sumInput, sumOutput } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { NeutralAnswer, AnswerHead, Logprob, AnswerEvent, Seal, StopReason, StreamReader, StreamWriter, AnswerVariant } from '../form.ts'
import { writeGeminiLogprobs, readGeminiLogprobs } from '../logprobs.ts'
import { toObjectList, toObjectOrEmpty, parseCallArguments, formatSeal, toTextOrEmpty, unwrapSeal } from '../reading.ts'

const DIALECT = 'gemini-generate'
const STOPS: Readonly<Record<string, StopReason>> = { STOP: 'end', MAX_TOKENS: 'length' }
const REASONS: Readonly<Record<StopReason, string>> = {
  'end': 'STOP',
  'length': 'MAX_TOKENS',
  'stop-sequence': 'STOP',
  'tools': 'STOP',
  'refusal': 'SAFETY',
  'context': 'MAX_TOKENS',
}

/** Writes chunks in order: calls are complete, and a stop after calls is a stop for tools. */
export function readGeminiStream(): StreamReader {
  const readers = new Map<number, (candidate: Raw, blocked: boolean) => AnswerEvent[]>()
  let speaking = 0
  return (event) => {
    if (isRaw(event['error'])) return [{ kind: 'error', message: toTextOrEmpty(event['error']['message']) }]
    const said: AnswerEvent[] = []
    const blocked = toTextOrEmpty(toObjectOrEmpty(event['promptFeedback'])['blockReason']) !== ''
    const candidates = toObjectList(event['candidates'])
    for (const candidate of blocked && candidates.length === 0 ? [{}] : candidates) {
      const index = typeof candidate['index'] === 'number' ? candidate['index'] : 0
      const reader = readers.get(index) ?? candidateReader(index)
      readers.set(index, reader)
      if (index !== speaking) said.push({ kind: 'choice', index })
      speaking = index
      said.push(...reader(candidate, blocked))
    }
    const usage = isRaw(event['usageMetadata']) ? parseGeminiUsage(event['usageMetadata']) : undefined
    if (usage !== undefined) said.push({ kind: 'usage', usage })
    return said
  }
}

function candidateReader(index: number): (candidate: Raw, blocked: boolean) => AnswerEvent[] {
  let calls = 0
  return (candidate, blocked) => {
    const said: AnswerEvent[] = []
    const logprobs = readGeminiLogprobs(candidate['logprobsResult'])
    let told = logprobs === undefined
    for (const part of toObjectList(toObjectOrEmpty(candidate['content'])['parts'])) {
      const signature = toTextOrEmpty(part['thoughtSignature'])
      const seal = signature === '' ? undefined : unwrapSeal(signature, DIALECT)
      const call = part['functionCall']
      if (isRaw(call)) {
        said.push({
          kind: 'call',
          id: toTextOrEmpty(call['id']) || `call_${crypto.randomUUID().slice(0, 8)}_${index === 0 ? '' : `${index}_`}${calls}`,
          name: toTextOrEmpty(call['name']),
          seal,
        })
        said.push({ kind: 'args', text: JSON.stringify(call['args'] ?? {}) })
        calls++
        continue
      }
      const text = toTextOrEmpty(part['text'])
      if (text !== '' && part['thought'] === true) said.push({ kind: 'thinking', text })
      else if (text !== '') {
        said.push({ kind: 'text', text, logprobs: told ? undefined : logprobs })
        told = true
      }
      if (seal !== undefined) said.push({ kind: 'seal', seal, ofText: part['thought'] !== true })
    }
    if (!told) said.push({ kind: 'text', text: '', logprobs })
    const reason = toTextOrEmpty(candidate['finishReason'])
    if (reason !== '' || blocked) {
      const stop = blocked ? 'refusal' : (STOPS[reason] ?? 'refusal')
      said.push({ kind: 'stop', stop: stop === 'end' && calls > 0 ? 'tools' : stop, sequence: undefined })
    }
    return said
  }
}

export function readGeminiAnswer(body: Raw): readonly AnswerEvent[] {
  return readGeminiStream()(body)
}

function writeUsage(usage: Usage | undefined): Raw {
  if (usage === undefined) return {}
  const input = sumInput(usage)
  const output = sumOutput(usage)
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
  functionCall: { id, name, args: parseCallArguments(args) },
  thoughtSignature: seal && formatSeal(seal, DIALECT),
})

export function writeGeminiAnswer(answer: NeutralAnswer, head: AnswerHead): Raw {
  return { candidates: [answer, ...answer.others].map(candidateOf), ...writeUsage(answer.usage), modelVersion: head.model, responseId: head.id }
}

function candidateOf(answer: AnswerVariant, index: number): Raw {
  const parts = answer.parts.map((part): Raw => {
    if (part.kind === 'call') return callPart(part.id, part.name, part.args, part.seal)
    if (part.kind === 'thinking') return { text: part.text, thought: true, thoughtSignature: part.seal && formatSeal(part.seal, DIALECT) }
    return { text: part.text }
  })
  const logprobs = answer.parts.flatMap((part) => (part.kind === 'text' ? part.logprobs : []))
  return { content: { parts, role: 'model' }, finishReason: REASONS[answer.stop], index, ...writeGeminiLogprobs(logprobs) }
}

/** Streaming state of one of several candidates. */
interface CandidateStream {
  stop: StopReason
  call: { readonly id: string; readonly name: string; readonly seal: Seal | undefined; args: string } | undefined
}

/** Without alt=sse the stream is one JSON array. Calls are complete here, so their arguments are collected. */
export function writeGeminiStream(head: AnswerHead, options: { readonly sse: boolean }): StreamWriter {
  const tail = { modelVersion: head.model, responseId: head.id }
  let begun = false
  const speakers: CandidateStream[] = [{ stop: 'end', call: undefined }]
  let index = 0
  let usage: Usage | undefined
  const frame = (data: Raw): string => {
    const json = JSON.stringify(data)
    const before = begun ? ',\n' : '['
    begun = true
    return options.sse ? `data: ${json}\r\n\r\n` : `${before}${json}`
  }
  const chunk = (parts: readonly Raw[], logprobs: readonly Logprob[] = []): string =>
    frame({ candidates: [{ content: { parts, role: 'model' }, index, ...writeGeminiLogprobs(logprobs) }], ...tail })
  const flushed = (): readonly Raw[] => {
    const speaker = speakers[index]!
    const { call } = speaker
    speaker.call = undefined
    return call === undefined ? [] : [callPart(call.id, call.name, call.args, call.seal)]
  }
  const speak = (part: Raw, logprobs?: readonly Logprob[]): string => chunk([...flushed(), part], logprobs)
  return {
    said(said) {
      switch (said.kind) {
        case 'choice':
          index = said.index
          while (speakers.length <= index) speakers.push({ stop: 'end', call: undefined })
          return ''
        case 'text':
          return speak({ text: said.text }, said.logprobs)
        case 'refusal':
          return speak({ text: said.text })
        case 'thinking':
          return speak({ text: said.text, thought: true })
        case 'seal':
          return speak({ text: '', thought: true, thoughtSignature: formatSeal(said.seal, DIALECT) })
        case 'call': {
          const before = flushed()
          speakers[index]!.call = { id: said.id, name: said.name, seal: said.seal, args: '' }
          return before.length === 0 ? '' : chunk(before)
        }
        case 'args': {
          const { call } = speakers[index]!
          if (call !== undefined) call.args += said.text
          return ''
        }
        case 'stop':
          speakers[index]!.stop = said.stop
          return ''
        case 'usage':
          usage = said.usage
          return ''
        default:
          return ''
      }
    },
    end() {
      let last = ''
      for (index = 0; index < speakers.length; index++) {
        const parts = flushed()
        const content = parts.length === 0 ? { parts: [{ text: '' }], role: 'model' } : { parts, role: 'model' }
        const counted = index === speakers.length - 1 ? writeUsage(usage) : {}
        last += frame({ candidates: [{ content, finishReason: REASONS[speakers[index]!.stop], index }], ...counted, ...tail })
      }
      return options.sse ? last : `${last}\n]\n`
    },
    fail(message) {
      const failed = frame({ error: { code: 503, message, status: 'UNAVAILABLE' } })
      return options.sse ? failed : `${failed}\n]\n`
    },
  }
}
