import type { SharedMark, MarkKind } from '#features/risk/server/door.ts'
import type { ReviewGraph } from '../../contract.console.ts'
import type { RewardState } from '../../words.ts'

export interface GraphFacts {
  readonly inviterId: string
  readonly inviteeIds: readonly string[]
  readonly marks: readonly SharedMark[]
  readonly staff: readonly string[]
  /** State of an invitee's direct reward. */
  readonly stateOf: (userId: string) => RewardState | null
  /** Masked contact; empty if there is none any more. */
  readonly nameOf: (userId: string) => string
  /** Signals between the inviter and an invitee without a shared mark. */
  readonly direct: readonly { readonly inviteeId: string; readonly signal: string; readonly weight: number }[]
  readonly weightOf: (signal: string) => number
}

/** Signal of each mark kind. The weights of mailbox and place are part of the reward's own signals, from the sign-up. */
const SIGNAL_OF_MARK: Readonly<Record<MarkKind, string>> = {
  mailbox: 'same_contact',
  payer: 'same_payer',
  payout: 'same_payout',
  person: 'same_person',
  device: 'same_device',
  place: 'same_place',
  network: 'same_network',
  keys: 'same_keys',
}
const NODES = 300

/** Draws people and their shared marks as nodes and edges: the inviter first, then the invitees, then others who share a mark. */
export function drawGraph(facts: GraphFacts): ReviewGraph {
  const { inviterId, inviteeIds, marks, staff, stateOf, nameOf, direct, weightOf } = facts
  const others = marks.flatMap(({ subjects }) => subjects).filter((id) => id !== inviterId && !inviteeIds.includes(id))
  const everybody = [inviterId, ...inviteeIds, ...new Set(others)]
  const people = everybody.slice(0, NODES)
  const drawn = new Set(people)
  const kindOf = (id: string) => {
    if (staff.includes(id) || id.startsWith('operator:')) return 'staff'
    return id === inviterId ? 'inviter' : inviteeIds.includes(id) ? 'invitee' : 'other'
  }
  const joined = marks.map(({ kind, mark, subjects }) => ({ kind, mark, here: subjects.filter((id) => drawn.has(id)) })).filter(({ here }) => here.length > 1)
  return {
    nodes: [
      ...people.map((id) => ({ id, kind: kindOf(id), label: nameOf(id) || id.slice(-6), state: stateOf(id) }) as const),
      ...joined.map(({ kind, mark }) => ({ id: `mark:${kind}:${mark}`, kind: 'mark', label: `${kind} ${mark.slice(0, 6)}`, state: null }) as const),
    ],
    edges: [
      ...inviteeIds.filter((id) => drawn.has(id)).map((to) => ({ from: inviterId, to, signal: 'invited', weight: 0 })),
      ...direct.filter(({ inviteeId }) => drawn.has(inviteeId)).map(({ inviteeId, signal, weight }) => ({ from: inviterId, to: inviteeId, signal, weight })),
      ...joined.flatMap(({ kind, mark, here }) => {
        const signal = SIGNAL_OF_MARK[kind]
        return here.map((from) => ({ from, to: `mark:${kind}:${mark}`, signal, weight: weightOf(signal) }))
      }),
    ],
    isCut: people.length < everybody.length,
  }
}
