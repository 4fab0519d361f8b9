import type { Ask, Part, Turn } from './form.ts'
import { merged } from './messages/read.ts'

/**
 * Histories as clients keep them, so that a slip in one turn does not end the conversation: turns without content (an answer that was
 * stopped, a message that was cleared) are left out, and system messages alone are what the user says.
 */
export function mended(ask: Ask): Ask {
  const turns = merged(ask.turns.flatMap(withContent))
  if (turns.some((turn) => turn.role !== 'system')) return turns.length === ask.turns.length ? ask : { ...ask, turns }
  const parts = [...ask.system, ...turns.flatMap((turn) => turn.parts)]
  return { ...ask, system: [], turns: parts.length === 0 ? [] : [{ role: 'user', at: parts[0]!.at, parts }] }
}

const isSaid = (part: Part): boolean => part.kind !== 'text' || part.text !== ''

function withContent(turn: Turn): Turn[] {
  const parts = turn.parts.every(isSaid) ? turn.parts : turn.parts.filter(isSaid)
  return parts.length === 0 ? [] : [parts === turn.parts ? turn : { ...turn, parts }]
}
