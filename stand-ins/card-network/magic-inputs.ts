import { writeCents } from './money.ts'

/** How a call of the platform goes wrong; `…-after`: the effect is there, only the answer is not. */
export type CallFault = 'lost-after' | 'error-before' | 'hang-after' | 'slow'
/** How a notice goes wrong; `unsigned`: the first try carries a signature that is not ours. */
export type NoticeFault = 'slow' | 'lost' | 'twice' | 'out-of-order' | 'unsigned'

/** Fault of a decision request; `late`: the answer arrives after the deadline. */
export type DecisionFault = 'lost' | 'late'

/** Magic inputs: the cents of an amount choose how the company behaves. */
export const LOAD_MAGIC = {
  '51': 'refused',
  '52': 'pending-done',
  '53': 'pending-refused',
  '54': 'lost-after',
  '55': 'error-before',
  '56': 'hang-after',
  '57': 'slow',
} as const
export const PURCHASE_MAGIC = { '71': 'slow', '72': 'lost', '73': 'twice', '74': 'out-of-order', '75': 'unsigned' } as const satisfies Record<
  string,
  NoticeFault
>
/** The holder's address with one of these (`anna+lost@…`) chooses how opening a card goes. */
export const CARD_MAGIC = ['lost', 'slow', 'opening', 'failed'] as const
export type CardMagic = (typeof CARD_MAGIC)[number]

const centsOf = (minor: bigint) => writeCents(minor).slice(-2)

export function loadMagic(minor: bigint): (typeof LOAD_MAGIC)[keyof typeof LOAD_MAGIC] | undefined {
  return LOAD_MAGIC[centsOf(minor) as keyof typeof LOAD_MAGIC]
}

export function purchaseMagic(minor: bigint): NoticeFault | undefined {
  return PURCHASE_MAGIC[centsOf(minor) as keyof typeof PURCHASE_MAGIC]
}

export function cardMagic(email: string): CardMagic | undefined {
  const tag = /\+(\w+)@/.exec(email)?.[1]
  return CARD_MAGIC.find((one) => one === tag)
}
