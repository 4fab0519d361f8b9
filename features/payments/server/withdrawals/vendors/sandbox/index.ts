import type { Payout, PayoutCall, PayoutFact, SupplierTools, PayoutVendor } from '../port.ts'
import { countAsk, insertPayout, payoutOf } from './data.ts'
import type { BookRow } from './data.ts'
import { magicOf } from './magic-inputs.ts'

/** Simulated payout company with its own book; the account's name selects its faults. */
const payout: Payout = { name: 'sandbox', minMinor: 10n, send, query }

export const sandbox: PayoutVendor = { name: 'sandbox', sandbox: true, env: {}, connect: () => payout }

async function send(tools: SupplierTools, call: PayoutCall): Promise<PayoutFact> {
  const magic = magicOf(call.account)
  const known = await payoutOf(tools, call.payoutNo)
  if (known) return factOf(known)
  const asks = await countAsk(tools, call)
  if (magic === 'lost-before' && asks === 1) throw new Error('the payout sandbox does not answer')
  if (magic === 'held' && asks < 3) return { status: 'held', why: 'PAYER_BALANCE_NOT_ENOUGH' }
  if (magic === 'account' || magic === 'name' || magic === 'limit') return { status: 'refused', reason: magic }
  const made = await insertPayout(tools, call, magic === 'pending' ? 'pending' : magic === 'returned' ? 'returned' : 'paid')
  if (magic === 'lost-after') throw new Error('the payout sandbox does not answer')
  return magic === 'returned' ? { status: 'paid', txn: made.txn } : factOf(made)
}

async function query(tools: SupplierTools, payoutNo: string): Promise<PayoutFact> {
  const row = await payoutOf(tools, payoutNo)
  return row ? factOf(row) : { status: 'not_found' }
}

function factOf({ state, txn }: BookRow): PayoutFact {
  if (state === 'pending') return { status: 'pending' }
  if (state === 'refused') return { status: 'refused', reason: 'refused' }
  return { status: state, txn }
}
