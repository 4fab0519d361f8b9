import type { NeutralRequest, MessageTextPart, ConversationTurn } from './form.ts'
import { rejectField } from './reading.ts'

/**
 * Moves system messages among the turns to the beginning, in order, for models that accept them only there. Their content keeps its
 * authority; their position is lost. Messages that `stays` allows are not moved.
 */
export function hoistSystemTurns(
  ask: NeutralRequest,
  stays: (before: ConversationTurn | undefined, after: ConversationTurn | undefined) => boolean,
): Pick<NeutralRequest, 'system' | 'turns'> {
  if (!ask.turns.some((turn) => turn.role === 'system')) return ask
  const system: MessageTextPart[] = [...ask.system]
  const turns: ConversationTurn[] = []
  for (const [index, turn] of ask.turns.entries()) {
    const before = turns.at(-1)
    if (turn.role === 'system' && !stays(before, ask.turns[index + 1])) {
      for (const part of turn.parts) system.push(part.kind === 'text' ? part : rejectField(part.at))
    } else if (before?.role === turn.role) turns[turns.length - 1] = { ...before, parts: [...before.parts, ...turn.parts] }
    else turns.push(turn)
  }
  return { system, turns }
}
