import { randomBytes } from 'node:crypto'
import { NOTHING } from '../read/ask.ts'
import { isObject, list, obj, type Json, type JsonObject } from '../read/json.ts'
import { checkModel } from '../models.ts'
import { countTokens } from '../tokens.ts'
import type { Session } from './realtime.ts'
import { isSilent, tone } from './sound.ts'
import { pause } from './pause.ts'
import { answerTo, inPieces, msOf } from './words.ts'

const HEARD_RATE = 16_000
const SPOKEN_RATE = 24_000
const TOKENS_A_SECOND = { heard: 32, spoken: 25, picture: 258 }

/** Gemini Live: setup, then turns by text or voice, tools, interruption; every generation says its usage, the whole session its prompt. */
export function serveLive(at: Omit<Session, 'model'>): void {
  let model: string | undefined
  let setup: JsonObject = {}
  const sums = { text: 0, audio: 0, image: 0 }
  let buffered = 0
  let speaking = false
  let lastSaid = ''
  let calls = 0
  let active: { interrupted: boolean } | undefined

  // Google's frames are binary, and JSON all the same.
  const say = (message: JsonObject): void => {
    if (at.socket.readyState === at.socket.OPEN) at.socket.send(Buffer.from(JSON.stringify(message)), { binary: true })
  }

  const usageOf = (output: { text: number; audio: number }, thoughts: number): JsonObject => {
    const prompt = sums.text + sums.audio + sums.image
    const response = output.text + output.audio
    const details = (counts: Record<string, number>): JsonObject[] =>
      Object.entries(counts)
        .filter(([, tokenCount]) => tokenCount > 0)
        .map(([modality, tokenCount]) => ({ modality, tokenCount }))
    return {
      promptTokenCount: prompt,
      responseTokenCount: response,
      totalTokenCount: prompt + response,
      promptTokensDetails: details({ TEXT: sums.text, AUDIO: sums.audio, VIDEO: sums.image }),
      responseTokensDetails: details({ TEXT: output.text, AUDIO: output.audio }),
      ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    }
  }

  const generate = async (said: string, toolResult?: string): Promise<void> => {
    if (active !== undefined) {
      active.interrupted = true
      while (active !== undefined) await pause(1)
    }
    const turn = { interrupted: false }
    active = turn
    const tools = list(setup['tools']).flatMap((tool) => list(obj(tool)['functionDeclarations']))
    const answer = answerTo(said, tools, toolResult, at.chunkMs)
    const { knobs } = answer
    const requestId = `live_${randomBytes(10).toString('hex')}`
    at.book.start({
      requestId,
      callId: `${at.callId}_${++calls}`,
      dialect: 'gemini-live',
      model: model!,
      stream: true,
      fault: knobs.fault,
      startedAt: Date.now(),
    })
    const speaks = list(obj(setup['generationConfig'])['responseModalities']).includes('AUDIO')
    const output = { text: 0, audio: 0 }
    let ms = 0
    let events = 0
    const isGone = () => at.socket.readyState !== at.socket.OPEN
    await pause(knobs.first)
    if (answer.tool) output.text += countTokens(JSON.stringify(answer.tool.args))
    for (const part of answer.tool ? [] : inPieces(answer.text, knobs.pieces)) {
      if (turn.interrupted || isGone()) break
      if (knobs.fault === 'stall' && events >= (knobs.event ?? 2)) return
      if (knobs.fault === 'cut' && events >= (knobs.event ?? 2)) break
      events++
      if (speaks) {
        const length = msOf(part)
        say({ serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: `audio/pcm;rate=${SPOKEN_RATE}`, data: tone(length, SPOKEN_RATE, ms) } }] } } })
        if (setup['outputAudioTranscription'] !== undefined) say({ serverContent: { outputTranscription: { text: part } } })
        ms += length
        output.audio = Math.ceil((ms / 1000) * TOKENS_A_SECOND.spoken)
      } else {
        say({ serverContent: { modelTurn: { parts: [{ text: part }] } } })
        output.text += countTokens(part)
      }
      await pause(knobs.chunk)
    }
    const usage = usageOf(output, knobs.thinking ?? 0)
    const counts = {
      ...NOTHING,
      input: Number(usage['promptTokenCount']),
      output: output.text + output.audio + (knobs.thinking ?? 0),
      reasoning: knobs.thinking ?? 0,
    }
    at.book.end(requestId, { status: isGone() || knobs.fault === 'cut' ? 'aborted' : 'finished', httpStatus: 200, generated: counts, billed: counts, usage })
    sums.text += output.text
    sums.audio += output.audio
    if (active === turn) active = undefined
    if (knobs.fault === 'cut') return at.socket.terminate()
    const usageMetadata = knobs.fault === 'usage-none' ? {} : { usageMetadata: usage }
    if (answer.tool) return say({ toolCall: { functionCalls: [{ id: `fc_${calls}`, name: answer.tool.name, args: answer.tool.args }] }, ...usageMetadata })
    if (turn.interrupted) return say({ serverContent: { interrupted: true, turnComplete: true }, ...usageMetadata })
    say({ serverContent: { generationComplete: true } })
    say({ serverContent: { turnComplete: true }, ...usageMetadata })
  }

  const hear = (input: JsonObject): void => {
    if (typeof input['text'] === 'string') {
      sums.text += countTokens(input['text'])
      return void generate(input['text'])
    }
    const chunks = [obj(input['audio']), obj(input['video']), ...list(input['mediaChunks']).map(obj)]
    for (const chunk of chunks) {
      const mime = String(chunk['mimeType'] ?? '')
      if (mime.startsWith('image/')) sums.image += TOKENS_A_SECOND.picture
      if (!mime.startsWith('audio/')) continue
      const pcm = Buffer.from(String(chunk['data'] ?? ''), 'base64')
      const silent = isSilent(pcm)
      if (!silent) speaking = true
      if (speaking) buffered += pcm.length
      if (silent && speaking) endOfSpeech()
    }
    if (input['audioStreamEnd'] === true && speaking) endOfSpeech()
  }
  const endOfSpeech = (): void => {
    speaking = false
    const tokens = Math.max(1, Math.ceil((buffered / 2 / HEARD_RATE) * TOKENS_A_SECOND.heard))
    buffered = 0
    sums.audio += tokens
    if (setup['inputAudioTranscription'] !== undefined) say({ serverContent: { inputTranscription: { text: 'somebody said something' } } })
    void generate('')
  }

  const begin = (message: JsonObject): void => {
    const wanted = obj(message['setup'])
    const name = String(wanted['model'] ?? '').replace(/^models\//, '')
    if (message['setup'] === undefined || !name) return at.socket.close(1007, 'The first message must be setup and name a model.')
    try {
      checkModel(name)
    } catch {
      return at.socket.close(1008, `models/${name.slice(0, 60)} is not found for bidiGenerateContent.`)
    }
    model = name
    setup = wanted
    sums.text += 3 + countTokens(JSON.stringify(wanted['systemInstruction'] ?? '')) + countTokens(JSON.stringify(wanted['tools'] ?? ''))
    say({ setupComplete: {} })
  }

  const handle = (message: JsonObject): void => {
    if (model === undefined) return begin(message)
    if (isObject(message['realtimeInput'])) return hear(message['realtimeInput'])
    if (isObject(message['clientContent'])) {
      const text = list(message['clientContent']['turns'])
        .flatMap((turn) => list(obj(turn)['parts']))
        .map((part) => String(obj(part)['text'] ?? ''))
        .join(' ')
      sums.text += countTokens(text) + 4
      lastSaid = text
      if (message['clientContent']['turnComplete'] === true) void generate(lastSaid)
      return
    }
    if (isObject(message['toolResponse'])) {
      const result = JSON.stringify(list(message['toolResponse']['functionResponses']).map((one) => obj(one)['response'] ?? null))
      sums.text += countTokens(result)
      return void generate('', result)
    }
    at.socket.close(1007, 'Request contains an invalid argument.')
  }

  at.socket.on('message', (data) => {
    let message: unknown
    try {
      message = JSON.parse((data as Buffer).toString())
    } catch {
      message = undefined
    }
    if (isObject(message as Json)) handle(message as JsonObject)
    else at.socket.close(1007, 'Request contains an invalid argument.')
  })
}
