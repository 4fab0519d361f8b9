import type { NeutralRequest, MessagePart, ConversationTurn } from './form.ts'
import { mergeTurns } from './messages/read.ts'

/**
 * Repairs histories as clients keep them, so that a fault in one turn does not end the conversation: turns without content (a stopped
 * answer, a cleared message) are dropped, and a request with system messages only sends them as the user's.
 */
export function normalizeRequest(ask: NeutralRequest): NeutralRequest {
  const turns = mergeTurns(ask.turns.flatMap(removeEmptyParts))
  if (turns.some((turn) => turn.role !== 'system')) return turns.length === ask.turns.length ? ask : { ...ask, turns }
  const parts = [...ask.system, ...turns.flatMap((turn) => turn.parts)]
  return { ...ask, system: [], turns: parts.length === 0 ? [] : [{ role: 'user', at: parts[0]!.at, parts }] }
}

const hasContent = (part: MessagePart): boolean => part.kind !== 'text' || part.text !== ''

function removeEmptyParts(turn: ConversationTurn): ConversationTurn[] {
  const parts = turn.parts.every(hasContent) ? turn.parts : turn.parts.filter(hasContent)
  return parts.length === 0 ? [] : [parts === turn.parts ? turn : { ...turn, parts }]
}
