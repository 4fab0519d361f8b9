import { expect, test } from 'vitest'
import { rejectedError, retryableError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import { clearWait, recordWait } from '#platform/server/suppliers/waits.ts'
import { useTestDb } from '#platform/testing/db.ts'

const db = await useTestDb()
const call = (subject: string) => ({ subject, port: 'payments.payout', supplier: 'sandbox', operation: 'send' })
const age = (subject: string, hours: number) =>
  db.owner.query(`update supplier_waits set since = since - make_interval(hours => $2) where subject = $1`, [subject, hours])
const row = async (subject: string) =>
  (await db.query('select kind, tries, reason, detail, work_at is not null as work from supplier_waits where subject = $1', [subject]))[0]

test('an unknown call becomes one work item after a day, is still queried, and is cleared by its answer', async () => {
  const subject = 'withdrawal:W1'
  expect(await recordWait(db, call(subject), unknownError('no_answer', 'timeout'))).toMatchObject({ needsOperator: false, isOver: false, seconds: 2 })
  await age(subject, 23)
  expect(await recordWait(db, call(subject), unknownError('no_answer'))).toMatchObject({ needsOperator: false })
  await age(subject, 2)
  expect(await recordWait(db, call(subject), unknownError('no_answer'))).toMatchObject({ needsOperator: true, isOver: false })
  expect(await row(subject)).toMatchObject({ kind: 'unknown', tries: 3, work: true })
  await clearWait(db, subject)
  expect(await row(subject)).toBeUndefined()
})

test('a call that may have happened stays unknown, though the next query fails harmlessly; one that never happened ends', async () => {
  await recordWait(db, call('refund:R1'), unknownError('connection_lost'))
  await age('refund:R1', 25)
  expect(await recordWait(db, call('refund:R1'), retryableError('no_connection'))).toMatchObject({ isOver: false, needsOperator: true })
  await recordWait(db, call('refund:R2'), retryableError('no_connection'))
  await age('refund:R2', 25)
  expect(await recordWait(db, call('refund:R2'), retryableError('no_connection'))).toMatchObject({ isOver: true, needsOperator: false })
})

test('the supplier’s final time wins over the day, and its Retry-After is honoured', async () => {
  expect(await recordWait(db, { ...call('card:c1'), finalAt: new Date(0) }, unknownError('stuck', 'R-1'))).toMatchObject({ needsOperator: true })
  expect(await recordWait(db, call('card:c2'), retryableError('too_many', '', { retryAfterSeconds: 90 }))).toMatchObject({ seconds: 90 })
})

test('a rejected call cannot wait', async () => {
  await expect(recordWait(db, call('card:c3'), rejectedError('address'))).rejects.toThrow('card:c3')
  expect(await row('card:c3')).toBeUndefined()
})
