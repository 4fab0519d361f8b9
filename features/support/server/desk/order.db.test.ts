import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { createId } from '#platform/shared/ids.ts'
import { aConversation } from '../builders.ts'
import { support } from '../index.ts'

const product = [account, notices, risk, support]
const db = await useTestDb()
const clock = createRunningClock()
const features = [...product, createBackoffice(product)]
const { call, deps } = createTestApp({ features, db, clock, surface: 'operators' })
const customers = createTestApp({ features, db, clock })
const HOUR = 3_600_000

let desk: BuiltOperator
let user: BuiltUser
let id: string
beforeAll(() => chooseCaptcha(deps, 'off'))
beforeEach(async () => {
  desk = await anOperator(deps, ['support'])
  await db.owner.query('delete from support_conversations')
  user = await aUser(deps)
  id = (await aConversation(deps, { userId: user.userId, text: 'where is my money' })).id
})
const get = async (path: string, input: object = {}) => (await call('GET', path, input, { token: desk.token })).data
const inbox = async (state: string, more: object = {}) => (await get('/operator/support/inbox', { state, ...more })).rows.map((row: { id: string }) => row.id)
const talk = (of = id) => get('/operator/support/conversation', { id: of })
const preview = (name: string, input: object) => call('POST', `/operator/do/${name}/preview`, { conversationId: id, ...input }, { token: desk.token })
async function run(name: string, input: object = {}) {
  const { data } = await preview(name, input)
  const why = { reasonCode: 'customerAsked', reason: '' }
  return call(
    'POST',
    `/operator/do/${name}`,
    { conversationId: id, ...input, ...why, expects: data.expects },
    { token: desk.token, idempotencyKey: createId('k') },
  )
}
const inHours = (hours: number) => new Date(clock.now().getTime() + hours * HOUR).toISOString()
/** Advances the clock and signs in again: an operator's session would expire. */
async function pass(hours: number): Promise<void> {
  clock.advance(hours * HOUR + 1)
  desk = await anOperator(deps, ['support'])
}
const writes = (text = 'and?') =>
  customers.call('POST', '/common/support/send', { conversationId: id, clientId: createId('c').slice(0, 24), text }, { token: user.token })

test('a snoozed conversation is out of the inbox and the work list, and comes back by itself', async () => {
  const [until, { id: by }] = [inHours(4), desk]
  expect((await run('conversation.snooze', { wakeAt: until })).data).toMatchObject({ state: 'done', level: 'free', canBeUndone: true })
  expect([await inbox('open'), await inbox('snoozed')]).toEqual([[], [id]])
  expect(await talk()).toMatchObject({ state: 'snoozed', snoozedUntil: until, snoozedBy: by })
  expect((await get('/operator/work', { kind: 'conversation' })).rows).toEqual([])
  expect((await get('/operator/counts')).counts.support).toBe(0)
  await pass(4)
  expect([await inbox('open'), await inbox('snoozed')]).toEqual([[id], []])
  expect(await talk()).toMatchObject({ state: 'open', snoozedUntil: null, snoozedBy: null })
  expect((await get('/operator/work', { kind: 'conversation' })).rows).toMatchObject([{ since: until }])
})

test('a snoozed conversation that waits for its customer reopens on time; our answer then ends that, an earlier one does not', async () => {
  await run('conversation.answer', { text: 'We look into it.' })
  expect(await inbox('waiting')).toEqual([id])
  await run('conversation.snooze', { wakeAt: inHours(24) })
  await run('conversation.answer', { text: 'Still looking.' })
  expect([await inbox('waiting'), await inbox('snoozed')]).toEqual([[], [id]])
  await pass(24)
  expect([await inbox('open'), await inbox('waiting')]).toEqual([[id], []])
  await run('conversation.answer', { text: 'It has arrived.' })
  expect([await inbox('open'), await inbox('waiting')]).toEqual([[], [id]])
})

test('a snoozed conversation comes back as soon as its customer writes, who sees no snooze; a closed one cannot be snoozed', async () => {
  await run('conversation.snooze', { wakeAt: inHours(24) })
  await run('conversation.priority', { priority: 'urgent' })
  const { data } = await writes()
  expect(JSON.stringify(data)).not.toMatch(/snooze|priority|urgent/)
  expect([await inbox('open'), await inbox('snoozed')]).toEqual([[id], []])
  await run('conversation.snooze', { wakeAt: inHours(24) })
  await run('conversation.close')
  expect([await inbox('snoozed'), await inbox('closed')]).toEqual([[], [id]])
  expect((await preview('conversation.snooze', { wakeAt: inHours(1) })).data.shown.refusal).toEqual({ name: 'NOT_FOUND', data: null })
})

test('a woken conversation is back at once; a snooze into the past, or too far ahead, is refused', async () => {
  await run('conversation.snooze', { wakeAt: inHours(24) })
  expect((await run('conversation.wake')).data.state).toBe('done')
  expect(await inbox('open')).toEqual([id])
  expect((await preview('conversation.wake', {})).data.shown.refusal).toMatchObject({ name: 'NOT_FOUND' })
  for (const wakeAt of [inHours(-1), inHours(91 * 24)])
    expect((await preview('conversation.snooze', { wakeAt })).data.shown.refusal).toMatchObject({ name: 'BAD_INPUT' })
  const snoozed = await run('conversation.snooze', { wakeAt: inHours(24) })
  expect((await call('POST', '/operator/command/undo', { no: snoozed.data.no }, { token: desk.token })).data.state).toBe('done')
  expect(await inbox('open')).toEqual([id])
})

test('urgent conversations are first, then high ones, then by waiting time, page by page', async () => {
  const ids = [id]
  for (const text of ['two', 'three', 'four']) {
    clock.advance(1000)
    ids.push((await aConversation(deps, { userId: user.userId, text })).id)
  }
  await run('conversation.priority', { conversationId: ids[3]!, priority: 'urgent' })
  const raised = await run('conversation.priority', { conversationId: ids[2]!, priority: 'high' })
  const sorted = [ids[3], ids[2], ids[0], ids[1]]
  expect(await inbox('open')).toEqual(sorted)
  expect([await inbox('open', { priority: 'high' }), await inbox('open', { priority: 'normal' })]).toEqual([[ids[2]], [ids[0], ids[1]]])
  const paged: string[] = []
  for (let after: string | undefined; ;) {
    const page = await get('/operator/support/inbox', { limit: 1, ...(after ? { after } : {}) })
    paged.push(...page.rows.map((row: { id: string }) => row.id))
    if (page.next === null) break
    after = page.next
  }
  expect(paged).toEqual(sorted)
  const work = (await get('/operator/work', { kind: 'conversation' })).rows
  expect(work[0]).toMatchObject({ id: `conversation:${ids[3]}`, risk: 'high', targetMinutes: 15 })
  expect((await preview('conversation.priority', { conversationId: ids[2]!, priority: 'high' })).data.shown.refusal).toMatchObject({ name: 'NOT_FOUND' })
  expect((await call('POST', '/operator/command/undo', { no: raised.data.no }, { token: desk.token })).data.state).toBe('done')
  expect((await talk(ids[2]!)).priority).toBe('normal')
})
