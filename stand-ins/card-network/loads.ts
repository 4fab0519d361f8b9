import { accountOf, cardOf } from './cards.ts'
import { Refusal } from './company.ts'
import type { Company } from './company.ts'
import { loadMagic } from './magic-inputs.ts'
import type { Load } from './model.ts'
import { notify } from './post.ts'

const PENDING_MS = 3_000
/** Account that loads come from and unloads return to. */
const PROGRAM = 'program'

export interface NewLoad {
  readonly key: string
  readonly card: string
  readonly minor: bigint
  readonly direction: Load['direction']
}

/** Puts money on a card or takes it off, by key. A refusal is kept as well: the same key never succeeds later. */
export function load(company: Company, call: NewLoad): Load {
  const { store } = company
  if (call.minor <= 0n) throw new Refusal('bad_sum')
  cardOf(company, call.card)
  const magic = loadMagic(call.minor)
  const pending = magic === 'pending-done' || magic === 'pending-refused'
  const made: Load = {
    ref: company.makeRef('load'),
    ...call,
    status: 'pending',
    ...(pending ? { ends: magic === 'pending-done' ? 'done' : 'refused', due: company.now() + PENDING_MS } : {}),
  }
  if (!pending) conclude(company, made, magic === 'refused' ? 'refused' : 'done')
  store.insert('load', made, { at: company.now(), card: call.card, link: call.key, due: made.due })
  return made
}

/** Completes a pending load. */
export function endLoad(company: Company, ref: string): void {
  const found = company.store.find('load', ref)
  if (!found) return
  delete found.due
  conclude(company, found, found.ends ?? 'done')
  company.store.update('load', found)
  notify(company, 'card', 'updated', found.card, found.card)
}

function conclude(company: Company, made: Load, end: 'done' | 'refused'): void {
  const why = end === 'refused' ? 'declined_by_program' : whyNot(company, made)
  made.status = why ? 'refused' : 'done'
  if (why) {
    made.reason = why
    return
  }
  const [debit, credit] = made.direction === 'load' ? [PROGRAM, accountOf(made.card)] : [accountOf(made.card), PROGRAM]
  company.store.post(company.now(), debit, credit, made.minor, made.direction, made.ref)
}

function whyNot(company: Company, { card, minor, direction }: Load): string | undefined {
  if (direction === 'load') return ['closed', 'failed'].includes(cardOf(company, card).state) ? 'card_is_closed' : undefined
  return company.store.balance(accountOf(card)) < minor ? 'more_than_is_there' : undefined
}
