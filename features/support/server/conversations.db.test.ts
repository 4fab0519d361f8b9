import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { defineFeature } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestReply, TestApp } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { TEXT_MAX } from '../contract.ts'
import type { Message } from '../contract.ts'
import { aConversation } from './builders.ts'
import { answerConversation, closeConversation, eraseSupportRecords, exportSupportRecords, listConversations, openConversation } from './door.ts'
import { support } from './index.ts'
import { keepDays, messagesPerMinute, startsPerHour } from './settings.ts'
import { sweepOldRecords } from './verbs/sweep-old-records.ts'

const db = await useTestDb({ max: 30 })
/** The token is the user's id, because sign-in is not under test. */
const anyone = defineFeature({
  name: 'anyone',
  authenticate: async (_deps, token) => (token.startsWith('usr_') ? { userId: token, sessionId: token } : undefined),
})
const clock = createTestClock()
const app = createTestApp({ features: [anyone, notices, risk, support], db, clock })
const operator = { kind: 'operator', id: 'op_1' } as const
let users = 0
const aPerson = () => `usr_test${++users}`

const start = (input: object, options: object = {}) =>
  app.call('POST', '/common/support/start', { clientId: randomUUID(), text: 'Where is my money?', ...input }, { ip: `10.1.${++users % 250}.1`, ...options })
const send = (input: object, token?: string): Promise<TestReply> =>
  app.call('POST', '/common/support/send', { clientId: randomUUID(), ...input }, token ? { token } : {})
const read = (input: object, token?: string): Promise<TestReply> => app.call('POST', '/common/support/messages', input, token ? { token } : {})
const overview = async (token?: string, input: object = {}) => (await app.call('POST', '/common/support/overview', input, token ? { token } : {})).data
const wait = (input: object, token?: string): Promise<TestReply> => app.call('POST', '/common/support/wait', input, token ? { token } : {})
const answer = (conversationId: string, text: string, { clientId, on = app }: { readonly clientId?: string; readonly on?: TestApp } = {}) =>
  answerConversation(on.deps, operator, { conversationId, text, ...(clientId ? { clientId } : {}) })

test('a user asks about an order, is answered, reads it, and sees what we have seen', async () => {
  const token = aPerson()
  const begun = await start({ orderNo: 'R20261120-8F31A', topic: 'recharge', text: '  充值没到账\r\n请查 ' }, { token })
  expect(begun).toMatchObject({ code: 200, data: { visitorToken: null, more: false } })
  const { conversation, messages } = begun.data
  expect(conversation).toMatchObject({ topic: 'recharge', orderNo: 'R20261120-8F31A', state: 'open', unread: 0, lastSeq: 2, previewFrom: 'me', deskReadSeq: 0 })
  expect(messages).toMatchObject([
    { seq: 1, from: 'system', event: 'order', detail: 'R20261120-8F31A', text: '' },
    { seq: 2, from: 'me', event: null, text: '充值没到账\n请查' },
  ])
  expect((await listConversations(db)).find(({ id }) => id === conversation.id)).toMatchObject({ from: token, signedIn: true, isNew: true, state: 'open' })
  await openConversation(db, conversation.id)
  await answer(conversation.id, '已为你补单，到账 $20.00')
  await answer(conversation.id, '请刷新看看')
  expect(await overview(token)).toMatchObject({
    unread: 2,
    conversations: [{ id: conversation.id, state: 'waiting', unread: 2, preview: '请刷新看看', previewFrom: 'desk', deskReadSeq: 4 }],
  })
  const after = await read({ conversationId: conversation.id, afterSeq: 2 }, token)
  expect(after.data.messages.map((one: Message) => [one.seq, one.from, one.text])).toEqual([
    [3, 'desk', '已为你补单，到账 $20.00'],
    [4, 'desk', '请刷新看看'],
  ])
  expect((await app.call('POST', '/common/support/read', { conversationId: conversation.id, seq: 3 }, { token })).code).toBe(200)
  expect((await overview(token)).unread).toBe(1)
  await app.call('POST', '/common/support/read', { conversationId: conversation.id, seq: 1 }, { token })
  expect((await overview(token)).unread).toBe(1)
  await app.call('POST', '/common/support/read', { conversationId: conversation.id, seq: 1_000_000 }, { token })
  expect((await overview(token)).unread).toBe(0)
})

test('a closed conversation is opened again by a message', async () => {
  const token = aPerson()
  const { id } = await aConversation(app.deps, { userId: token })
  await closeConversation(app.deps, operator, id)
  await closeConversation(app.deps, operator, id)
  expect((await read({ conversationId: id }, token)).data).toMatchObject({
    conversation: { state: 'closed', unread: 0 },
    messages: [{ seq: 1 }, { seq: 2, event: 'closed' }],
  })
  await send({ conversationId: id, text: '又出现了' }, token)
  expect((await read({ conversationId: id, afterSeq: 2 }, token)).data).toMatchObject({
    conversation: { state: 'open' },
    messages: [{ event: 'reopened' }, { seq: 4, text: '又出现了' }],
  })
})

test('the same message sent 50 times at once is one message; 50 different ones are numbered without a gap', async () => {
  const token = aPerson()
  const { id } = await aConversation(app.deps, { userId: token })
  const same = { conversationId: id, clientId: randomUUID(), text: 'once' }
  const replies = await Promise.all(Array.from({ length: 50 }, () => send(same, token)))
  expect(new Set(replies.map(({ code, data }) => `${code} ${data.message.seq}`))).toEqual(new Set(['200 2']))
  await transact(db, operator, (tx) => app.deps.settings.set(tx, messagesPerMinute, 1000))
  await Promise.all([
    ...Array.from({ length: 50 }, (_, index) => send({ conversationId: id, text: `no ${index}` }, token)),
    ...Array.from({ length: 20 }, (_, index) => answer(id, `answer ${index}`)),
  ])
  const { messages, conversation } = (await read({ conversationId: id, afterSeq: 0 }, token)).data
  expect(messages.map((one: Message) => one.seq)).toEqual(Array.from({ length: 72 }, (_, index) => index + 1))
  expect(conversation).toMatchObject({ lastSeq: 72, unread: 20 })
  await transact(db, operator, (tx) => app.deps.settings.set(tx, messagesPerMinute, messagesPerMinute.fallback))
})

test('a conversation begun 50 times at once, and an answer given 50 times at once, happen once', async () => {
  const token = aPerson()
  const same = { clientId: randomUUID(), text: 'begin' }
  const replies = await Promise.all(Array.from({ length: 50 }, () => start(same, { token })))
  expect(new Set(replies.map(({ code, data }) => `${code} ${data.conversation?.id}`)).size).toBe(1)
  const { id } = replies[0]!.data.conversation
  await Promise.all(Array.from({ length: 50 }, () => answer(id, 'one answer', { clientId: 'the-same-answer-id' })))
  expect((await read({ conversationId: id }, token)).data.messages).toHaveLength(2)
  expect(await db.query(`select count(*)::int as n from audit_rows where target = $1 and action = 'support.message-answered'`, [`conversation:${id}`])).toEqual(
    [{ n: 1 }],
  )
})

test('a visitor continues with the token, and begins once even if the reply was lost', async () => {
  const input = { clientId: randomUUID(), email: 'guest@example.com', text: '不登录也能问吗' }
  const begun = await start(input)
  const token = begun.data.visitorToken as string
  expect(token).toMatch(/^vis_[0-9A-Z]{26}\.[\w-]{43}$/)
  expect((await start(input, { ip: '10.99.1.1' })).data).toMatchObject({ visitorToken: token, conversation: { id: begun.data.conversation.id } })
  expect((await start({ ...input, text: 'another text' })).code).toBe(400)
  const conversationId = begun.data.conversation.id
  expect((await send({ conversationId, visitorToken: token, text: '还在吗' })).code).toBe(200)
  await answer(conversationId, '在')
  expect(await overview(undefined, { visitorToken: token })).toMatchObject({ unread: 1, conversations: [{ id: conversationId }] })
  const again = await start({ email: 'guest@example.com', visitorToken: token })
  expect(again.data.visitorToken).toBe(token)
  expect((await overview(undefined, { visitorToken: token })).conversations).toHaveLength(2)
  expect((await start({ email: undefined })).data).toEqual({ fields: ['email'] })
  expect(JSON.stringify(await db.query('select * from support_conversations where id = $1', [conversationId]))).not.toContain(token.split('.')[1])
})

test('no caller reads, writes or marks another’s conversation, whatever token it makes up', async () => {
  const owner = aPerson()
  const mine = await aConversation(app.deps, { userId: owner, text: 'CANARY-user' })
  const guest = await aConversation(app.deps, { text: 'CANARY-guest' })
  const stranger = (await start({ email: 'other@example.com' })).data.visitorToken as string
  const [id, signature] = guest.visitorToken!.split('.') as [string, string]
  const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  const tokens = [stranger, `${id}.${'A'.repeat(43)}`, `${id}.${flip(signature, 0)}`, `${id}.${flip(signature, 20)}`, `${flip(id, 10)}.${signature}`]
  const callers = [{}, { token: aPerson() }, ...tokens.map((visitorToken) => ({ visitorToken }))]
  for (const caller of callers) {
    const { token, visitorToken } = caller as { token?: string; visitorToken?: string }
    const own = visitorToken ? { visitorToken } : {}
    for (const conversationId of [mine.id, guest.id, 'conv_00000000000000000000000000']) {
      const replies = [
        await read({ conversationId, ...own }, token),
        await wait({ conversationId, version: 0, afterSeq: 0, waitSeconds: 0, ...own }, token),
        await send({ conversationId, text: 'intruder', ...own }, token),
        await app.call('POST', '/common/support/read', { conversationId, seq: 1, ...own }, token ? { token } : {}),
      ]
      expect(replies.map(({ status, code }) => [status, code])).toEqual(replies.map(() => [404, 404]))
      expect(new Set(replies.map(({ raw }) => raw.body.replace(/"requestId":"[^"]*"/, ''))).size).toBe(1)
    }
    expect(JSON.stringify(await overview(token, own))).not.toContain('CANARY')
  }
  expect((await read({ conversationId: mine.id }, owner)).data.messages).toHaveLength(1)
  expect((await read({ conversationId: guest.id, visitorToken: guest.visitorToken })).data.messages).toHaveLength(1)
})

test('a waiting client receives a message, a close and a read mark at once, and nothing twice', async () => {
  const token = aPerson()
  const { id, news } = await aConversation(app.deps, { userId: token })
  const listening = wait({ conversationId: id, version: news.conversation.version, afterSeq: 1 }, token)
  await new Promise((done) => setTimeout(done, 300))
  await answer(id, 'live')
  const heard = await listening
  expect(heard.data).toMatchObject({ conversation: { unread: 1 }, messages: [{ seq: 2, text: 'live' }] })
  const marked = wait({ conversationId: id, version: heard.data.conversation.version, afterSeq: 2 }, token)
  await app.call('POST', '/common/support/read', { conversationId: id, seq: 2 }, { token })
  const after = await marked
  expect(after.data).toMatchObject({ conversation: { unread: 0 }, messages: [] })
  const closing = wait({ conversationId: id, version: after.data.conversation.version, afterSeq: 2 }, token)
  await closeConversation(app.deps, operator, id)
  expect((await closing).data).toMatchObject({ conversation: { state: 'closed' }, messages: [{ seq: 3, event: 'closed' }] })
  const quiet = await wait({ conversationId: id, version: 0, afterSeq: 3, waitSeconds: 0 }, token)
  const still = await wait({ conversationId: id, version: quiet.data.conversation.version, afterSeq: 3, waitSeconds: 1 }, token)
  expect(still.data.messages).toEqual([])
})

test('with many readers and many writers, every reader has every message once, in order', async () => {
  const token = aPerson()
  const { id, news } = await aConversation(app.deps, { userId: token })
  const TOTAL = 30
  const follow = async () => {
    const got: string[] = []
    let known = { version: news.conversation.version, afterSeq: 1 }
    while (got.length < TOTAL) {
      const { data } = await wait({ conversationId: id, ...known, waitSeconds: 10 }, token)
      for (const one of data.messages as Message[]) got.push(`${one.seq} ${one.text}`)
      known = { version: data.conversation.version, afterSeq: data.messages.at(-1)?.seq ?? known.afterSeq }
    }
    return got
  }
  const readers = Promise.all(Array.from({ length: 6 }, follow))
  for (let index = 0; index < TOTAL; index += 5) await Promise.all(Array.from({ length: 5 }, (_, more) => answer(id, `m${index + more}`)))
  const seen = await readers
  for (const got of seen) {
    expect(got.map((line) => Number(line.split(' ')[0]))).toEqual(Array.from({ length: TOTAL }, (_, index) => index + 2))
    expect(got).toEqual(seen[0])
  }
})

test('reading back a long conversation, and catching up on it', async () => {
  const token = aPerson()
  const { id } = await aConversation(app.deps, { userId: token })
  await db.query(
    `insert into support_messages (conversation_id, seq, author, text, at) select $1, n, 'operator', 'line ' || n, now() from generate_series(2, 260) n`,
    [id],
  )
  await db.query('update support_conversations set last_seq = 260 where id = $1', [id])
  const newest = (await read({ conversationId: id }, token)).data
  expect(newest.messages.map((one: Message) => one.seq)).toEqual(Array.from({ length: 50 }, (_, index) => 211 + index))
  expect(newest).toMatchObject({ more: true, conversation: { unread: 259 } })
  expect((await read({ conversationId: id, beforeSeq: 30 }, token)).data).toMatchObject({ more: false, messages: { length: 29 } })
  const caught = (await read({ conversationId: id, afterSeq: 0 }, token)).data
  expect(caught).toMatchObject({ more: true, messages: { length: 200 } })
  expect((await read({ conversationId: id, afterSeq: 200 }, token)).data).toMatchObject({ more: false, messages: { length: 60 } })
})

test('limits: messages a minute, conversations an hour; what is refused is not written, and a repeat is not counted', async () => {
  const token = aPerson()
  const { id } = await aConversation(app.deps, { userId: token })
  const codes = await Promise.all(Array.from({ length: 30 }, (_, index) => send({ conversationId: id, text: `quick ${index}` }, token)))
  expect(codes.filter(({ code }) => code === 200)).toHaveLength(messagesPerMinute.fallback)
  const refused = codes.find(({ code }) => code !== 200)!
  expect(refused).toMatchObject({ status: 429, code: 3301, data: { retryAfterSeconds: expect.any(Number) } })
  expect((await read({ conversationId: id }, token)).data.conversation.lastSeq).toBe(1 + messagesPerMinute.fallback)
  clock.advance(61_000)
  const clientId = randomUUID()
  for (let times = 0; times < 40; times++) expect((await send({ conversationId: id, clientId, text: 'again' }, token)).code).toBe(200)
  const begun = await Promise.all(Array.from({ length: 12 }, () => start({ email: 'flood@example.com' }, { ip: '203.0.113.9' })))
  expect(begun.filter(({ code }) => code === 200)).toHaveLength(startsPerHour.fallback)
  expect((await start({ email: 'flood@example.com' }, { ip: '203.0.113.10' })).code).toBe(200)
})

test.each([
  ['', 400],
  ['   \n\t ', 400],
  ['\u202e\u2066\u200f'.slice(0, 2), 400],
  ['长'.repeat(TEXT_MAX), 200],
  ['长'.repeat(TEXT_MAX + 1), 400],
  ['👩‍🚀'.repeat(800), 200],
  ['a'.repeat(TEXT_MAX * 3 + 1), 400],
  ['\u202eevil\u0007 text\u0000', 400],
  ['\u202eevil\u0007 text', 200],
])('a text of another kind: %#', async (text, code) => {
  const token = aPerson()
  const begun = await start({ text }, { token })
  expect(begun.code).toBe(code)
  if (code === 200) expect(begun.data.messages[0].text).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
})

test('a user’s data is exported whole and deleted with the account; a complaint is made anonymous', async () => {
  const token = aPerson()
  const { id } = await aConversation(app.deps, { userId: token, text: 'export me' })
  await answer(id, 'exported answer')
  await app.call('POST', '/common/complaint', { content: 'bad', email: 'me@example.com' }, { token, idempotencyKey: randomUUID() })
  const { conversations, complaints } = await exportSupportRecords(db, token)
  expect(conversations).toMatchObject([
    {
      id,
      messages: [
        { text: 'export me', from: 'user' },
        { text: 'exported answer', from: 'operator' },
      ],
    },
  ])
  expect(complaints).toMatchObject([{ content: 'bad', email: 'me@example.com' }])
  expect(await exportSupportRecords(db, aPerson())).toEqual({ conversations: [], complaints: [] })
  await eraseSupportRecords(db, token)
  expect(await exportSupportRecords(db, token)).toEqual({ conversations: [], complaints: [] })
  expect((await read({ conversationId: id }, token)).code).toBe(404)
  expect(await db.query(`select user_id, email from support_complaints where content = 'bad' and user_id is null`)).toEqual([
    { userId: null, email: 'deleted@invalid' },
  ])
})

test('conversations are deleted when their retention is over, visitors’ sooner', async () => {
  const later = createTestClock(new Date(clock.now().getTime()))
  const ahead = createTestApp({ features: [anyone, notices, risk, support], db, clock: later })
  const token = aPerson()
  const mine = await aConversation(ahead.deps, { userId: token })
  const guest = await aConversation(ahead.deps)
  later.advance(181 * 86_400_000)
  await sweepOldRecords(ahead.deps)
  expect((await read({ conversationId: guest.id, visitorToken: guest.visitorToken })).code).toBe(404)
  expect((await read({ conversationId: mine.id }, token)).code).toBe(200)
  later.advance(keepDays.fallback * 86_400_000)
  await sweepOldRecords(ahead.deps)
  expect((await read({ conversationId: mine.id }, token)).code).toBe(404)
})

test('events of a message are emitted in the transaction that writes it', async () => {
  const token = aPerson()
  const { id } = await aConversation(app.deps, { userId: token })
  await answer(id, 'hello')
  await closeConversation(app.deps, operator, id)
  const rows = await db.query<{ event: string; payload: object }>(`select event, payload from outbox where payload->>'conversationId' = $1 order by id`, [id])
  expect(rows).toEqual([
    { event: 'support.message.sent', payload: { conversationId: id, seq: 1, userId: token } },
    { event: 'support.message.answered', payload: { conversationId: id, seq: 2, userId: token } },
    { event: 'support.conversation.closed', payload: { conversationId: id, userId: token } },
  ])
  expect(JSON.stringify(rows)).not.toContain('hello')
})
