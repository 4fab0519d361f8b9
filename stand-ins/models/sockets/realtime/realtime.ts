import { obj, type JsonObject } from '../../read/json.ts'
import { countTokens } from '../../tokens.ts'
import { objectIn } from '../session.ts'
import type { Session } from '../session.ts'
import { commit, hearRealtime } from './hear.ts'
import { respond } from './respond.ts'
import { addItem, createRealtimeState, sendRealtime, textIn, wrong } from './state.ts'
import type { RealtimeState } from './state.ts'

/** OpenAI Realtime: a conversation of items, voice activity by silence, responses with tools, cancelling, usage by class. */
export function serveRealtime(at: Session, model: string): void {
  const s = createRealtimeState(at, model)
  at.socket.on('message', (data, isBinary) => {
    const event = isBinary ? undefined : objectIn(data)
    if (event === undefined) wrong(s, 'invalid_json', 'Could not parse the event as JSON.')
    else take(s, event)
  })
  sendRealtime(s, 'session.created', { session: s.session })
}

function take(s: RealtimeState, event: JsonObject): void {
  switch (event['type']) {
    case 'session.update':
      return update(s, obj(event['session']))
    case 'conversation.item.create': {
      const item = obj(event['item'])
      return addItem(s, item, countTokens(textIn(item)) + 2, 0)
    }
    case 'input_audio_buffer.append':
      return hearRealtime(s, String(event['audio'] ?? ''))
    case 'input_audio_buffer.commit':
      return s.buffered === 0 ? wrong(s, 'input_audio_buffer_commit_empty', 'Error committing input audio buffer: buffer too small.') : commit(s)
    case 'input_audio_buffer.clear':
      s.buffered = 0
      return sendRealtime(s, 'input_audio_buffer.cleared')
    case 'response.create':
      return void respond(s, obj(event['response']))
    case 'response.cancel':
      if (s.active === undefined) return wrong(s, 'response_cancel_not_active', 'Cancellation failed: no active response found')
      s.active.cancelled = true
      return
    default:
      return wrong(s, 'invalid_value', `Invalid value: '${String(event['type'])}'.`, 'type')
  }
}

function update(s: RealtimeState, wanted: JsonObject): void {
  const audio = obj(wanted['audio'])
  const now = obj(s.session['audio'])
  s.session = {
    ...s.session,
    ...wanted,
    id: s.session['id']!,
    model: s.model,
    audio: { input: { ...obj(now['input']), ...obj(audio['input']) }, output: { ...obj(now['output']), ...obj(audio['output']) } },
  }
  sendRealtime(s, 'session.updated', { session: s.session })
}
