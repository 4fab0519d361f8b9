import { verifyLedger } from '#features/wallet/server/verify.ts'
import type { RobotProduct } from '../stage/product.ts'
import { selectBookDifferences, selectStuckOrders, selectStuckTasks, selectStuckWithdrawals } from './data-rest.ts'
import { computeIssuerBalances } from './issuer-book.ts'
import type { RobotViolation } from './violation.ts'

/** Compares all books once all pending work is done: read from the ledger, the orders, the sandboxes and the issuer. */
export async function checkBooksAtRest({ db, issuer, siteUrl }: RobotProduct): Promise<RobotViolation[]> {
  const found: RobotViolation[] = []
  const same = (rule: string, subject: string, { seen, expected }: { readonly seen: unknown; readonly expected: unknown }): void => {
    if (String(seen) !== String(expected)) found.push({ rule, subject, seen: String(seen), expected: String(expected) })
  }
  for (const problem of (await verifyLedger(db)).problems)
    same('the ledger verifies', 'wallet:verify', { seen: JSON.stringify(problem), expected: 'no problem' })
  for (const { rule, subject, seen, expected } of await selectBookDifferences(db)) same(rule, subject, { seen, expected })
  for (const order of await selectStuckOrders(db))
    found.push({
      rule: 'everything paid is delivered or returned',
      subject: order.orderNo,
      seen: `type ${order.orderType}, ${order.state} since ${order.days} days`,
      expected: 'fulfilled or refunded',
    })
  for (const task of await selectStuckTasks(db))
    found.push({
      rule: 'every wait ends',
      subject: `${task.service} ${task.id}`,
      seen: `${task.state} since ${task.days} days`,
      expected: 'an end, or a person who was told',
    })
  for (const one of await selectStuckWithdrawals(db))
    found.push({ rule: 'every wait ends', subject: one.withdrawalNo, seen: `${one.state} since ${one.days} days`, expected: 'paid or returned' })
  const book = await computeIssuerBalances(db, issuer)
  same('the issuer’s book is ours', 'all cards', { seen: book.ours, expected: book.theirs })
  await checkVendorBook(siteUrl, db, same)
  return found
}

/** Compares the charges with the model vendor's own book, call by call: charges that claim the vendor's figure equal its bill. */
async function checkVendorBook(
  siteUrl: string,
  db: RobotProduct['db'],
  same: (rule: string, subject: string, compared: { readonly seen: unknown; readonly expected: unknown }) => void,
): Promise<void> {
  const reply = await fetch(`${siteUrl}/sandbox/upstream/book?since=0&limit=50000`, { headers: { authorization: 'Bearer sandbox' } })
  const { entries } = (await reply.json()) as { entries: { callId: string; model: string; status: string; billed: { input: number; output: number } }[] }
  const rows = new Map(
    (
      await db.query<{ callId: string; outcome: string; provenance: string; inputTokens: bigint; outputTokens: bigint; amount: bigint }>(
        'select call_id, outcome, provenance, input_tokens, output_tokens, amount from gateway_usage',
      )
    ).map((row) => [row.callId, row]),
  )
  for (const { callId, model, status, billed } of entries) {
    const row = rows.get(callId)
    if (!billed.input || status === 'running') continue
    if (!row) same('what the vendor bills is charged', `${model} ${callId}`, { seen: 'no row', expected: `${billed.input} + ${billed.output} tokens` })
    else if (row.provenance === 'upstream' && row.outcome === 'completed')
      same('the vendor’s figure is charged', `${model} ${callId}`, {
        seen: `${row.inputTokens} + ${row.outputTokens}`,
        expected: `${billed.input} + ${billed.output}`,
      })
  }
}
