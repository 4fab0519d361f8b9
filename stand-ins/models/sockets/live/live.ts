import { isObject, toList, obj, type JsonObject } from '../../read/json.ts'
import { checkModel } from '../../models.ts'
import { countTokens } from '../../tokens.ts'
import { objectIn } from '../session.ts'
import type { Session } from '../session.ts'
import { generate } from './generate.ts'
import { hearLive } from './hear.ts'
import { createLiveState, sendLive } from './state.ts'
import type { LiveState } from './state.ts'

/** Gemini Live: setup, then turns by text or voice, tools, interruption; every generation says its usage, the whole session its prompt. */
export function serveLive(at: Session): void {
  const s = createLiveState(at)
  at.socket.on('message', (data) => {
    const message = objectIn(data)
    if (message === undefined) at.socket.close(1007, 'Request contains an invalid argument.')
    else take(s, message)
  })
}

function take(s: LiveState, message: JsonObject): void {
  if (s.model === undefined) return setUp(s, message)
  if (isObject(message['realtimeInput'])) return hearLive(s, message['realtimeInput'])
  if (isObject(message['clientContent'])) return takeTurns(s, message['clientContent'])
  if (isObject(message['toolResponse'])) {
    const result = JSON.stringify(toList(message['toolResponse']['functionResponses']).map((one) => obj(one)['response'] ?? null))
    s.sums.text += countTokens(result)
    return void generate(s, '', result)
  }
  s.at.socket.close(1007, 'Request contains an invalid argument.')
}

function setUp(s: LiveState, message: JsonObject): void {
  const wanted = obj(message['setup'])
  const name = String(wanted['model'] ?? '').replace(/^models\//, '')
  if (message['setup'] === undefined || !name) return s.at.socket.close(1007, 'The first message must be setup and name a model.')
  try {
    checkModel(name)
  } catch {
    return s.at.socket.close(1008, `models/${name.slice(0, 60)} is not found for bidiGenerateContent.`)
  }
  s.model = name
  s.setup = wanted
  s.sums.text += 3 + countTokens(JSON.stringify(wanted['systemInstruction'] ?? '')) + countTokens(JSON.stringify(wanted['tools'] ?? ''))
  sendLive(s, { setupComplete: {} })
}

function takeTurns(s: LiveState, content: JsonObject): void {
  const text = toList(content['turns'])
    .flatMap((turn) => toList(obj(turn)['parts']))
    .map((part) => String(obj(part)['text'] ?? ''))
    .join(' ')
  s.sums.text += countTokens(text) + 4
  if (content['turnComplete'] === true) void generate(s, text)
}
