import { randomBytes } from 'node:crypto'
import { NOTHING } from '../../read/ask.ts'
import { toList, obj } from '../../read/json.ts'
import { countTokens } from '../../tokens.ts'
import { pause } from '../pause.ts'
import { isSocketOpen } from '../session.ts'
import { tone } from '../sound.ts'
import { answerSpeech, inPieces, msOf } from '../words.ts'
import type { SpokenAnswer } from '../words.ts'
import { TOKENS_A_SECOND, sendLive } from './state.ts'
import type { LiveState } from './state.ts'
import { toLiveUsage } from './usage.ts'

const SPOKEN_RATE = 24_000

/** A generation on its way. */
interface Turn {
  interrupted: boolean
  readonly requestId: string
  readonly call: number
  readonly answer: SpokenAnswer
  readonly speaks: boolean
  readonly output: { text: number; audio: number }
  /** Of sound, so far. */
  ms: number
}

export async function generate(s: LiveState, said: string, toolResult?: string): Promise<void> {
  if (s.active !== undefined) {
    s.active.interrupted = true
    while (s.active !== undefined) await pause(1)
  }
  const turn = begin(s, said, toolResult)
  await pause(turn.answer.knobs.first)
  if (await speak(s, turn)) end(s, turn)
}

function begin(s: LiveState, said: string, toolResult: string | undefined): Turn {
  const tools = toList(s.setup['tools']).flatMap((tool) => toList(obj(tool)['functionDeclarations']))
  const answer = answerSpeech(said, tools, toolResult, s.at.chunkMs)
  const turn: Turn = {
    interrupted: false,
    requestId: `live_${randomBytes(10).toString('hex')}`,
    call: ++s.calls,
    answer,
    speaks: toList(obj(s.setup['generationConfig'])['responseModalities']).includes('AUDIO'),
    output: { text: 0, audio: 0 },
    ms: 0,
  }
  s.active = turn
  s.at.book.start({
    requestId: turn.requestId,
    callId: `${s.at.callId}_${turn.call}`,
    dialect: 'gemini-live',
    model: s.model!,
    stream: true,
    fault: answer.knobs.fault,
    startedAt: Date.now(),
  })
  return turn
}

/** False where it falls silent for ever. */
async function speak(s: LiveState, turn: Turn): Promise<boolean> {
  const { tool, text, knobs } = turn.answer
  if (tool) {
    turn.output.text += countTokens(JSON.stringify(tool.args))
    return true
  }
  const last = knobs.event ?? 2
  let events = 0
  for (const part of inPieces(text, knobs.pieces)) {
    if (turn.interrupted || !isSocketOpen(s.at)) break
    if (knobs.fault === 'stall' && events >= last) return false
    if (knobs.fault === 'cut' && events >= last) break
    events++
    saySome(s, turn, part)
    await pause(knobs.chunk)
  }
  return true
}

function saySome(s: LiveState, turn: Turn, part: string): void {
  const { output, speaks } = turn
  if (!speaks) {
    sendLive(s, { serverContent: { modelTurn: { parts: [{ text: part }] } } })
    output.text += countTokens(part)
    return
  }
  const length = msOf(part)
  sendLive(s, {
    serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: `audio/pcm;rate=${SPOKEN_RATE}`, data: tone(length, SPOKEN_RATE, turn.ms) } }] } },
  })
  if (s.setup['outputAudioTranscription'] !== undefined) sendLive(s, { serverContent: { outputTranscription: { text: part } } })
  turn.ms += length
  output.audio = Math.ceil((turn.ms / 1000) * TOKENS_A_SECOND.spoken)
}

function end(s: LiveState, turn: Turn): void {
  const { answer, output } = turn
  const { fault, thinking = 0 } = answer.knobs
  const usage = toLiveUsage(s, output, thinking)
  const counts = { ...NOTHING, input: Number(usage['promptTokenCount']), output: output.text + output.audio + thinking, reasoning: thinking }
  const isAborted = !isSocketOpen(s.at) || fault === 'cut'
  s.at.book.end(turn.requestId, { status: isAborted ? 'aborted' : 'finished', httpStatus: 200, generated: counts, billed: counts, usage })
  s.sums.text += output.text
  s.sums.audio += output.audio
  if (s.active === turn) s.active = undefined
  if (fault === 'cut') return s.at.socket.terminate()
  const usageMetadata = fault === 'usage-none' ? {} : { usageMetadata: usage }
  if (answer.tool)
    return sendLive(s, { toolCall: { functionCalls: [{ id: `fc_${s.calls}`, name: answer.tool.name, args: answer.tool.args }] }, ...usageMetadata })
  if (turn.interrupted) return sendLive(s, { serverContent: { interrupted: true, turnComplete: true }, ...usageMetadata })
  sendLive(s, { serverContent: { generationComplete: true } })
  sendLive(s, { serverContent: { turnComplete: true }, ...usageMetadata })
}
