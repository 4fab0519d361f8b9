import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aConversation } from './builders.ts'
import { answerConversation, closeConversation, openConversation } from './door.ts'
import { support } from './index.ts'
import { awaySeconds, operatorMailPauseSeconds, operatorMailSeconds, userMailPauseSeconds } from './settings.ts'
import { notifyAway } from './verbs/jobs.ts'

const db = await useTestDb({ max: 20 })
const DESK = 'support@mingxi.example'
const operator = { kind: 'operator', id: 'op_1' } as const

/** Sets up a separate clock and clears mails that other tests left due. */
async function stage() {
  await db.query('update support_conversations set user_mail_at = null, operator_mail_at = null')
  const clock = createTestClock()
  const app = createTestApp({ features: [account, notices, risk, support], db, clock })
  const away = async () => {
    await notifyAway(app.deps)
    await app.settle()
  }
  const mailsTo = async (to: string) => (await listSandboxMails(db, to)).map(({ subject, text }) => ({ subject, text }))
  return { clock, app, away, mailsTo, answer: (id: string, text: string) => answerConversation(app.deps, operator, { conversationId: id, text }) }
}

test('an answer unseen for two minutes is mailed, once a burst, with a link back', async () => {
  const { clock, app, away, mailsTo, answer } = await stage()
  const user = await aUser(app.deps)
  const { id } = await aConversation(app.deps, { userId: user.userId })
  await answer(id, '第一条')
  await answer(id, '第二条 <b>&amp;</b>')
  clock.advance((awaySeconds.fallback - 1) * 1000)
  await away()
  expect(await mailsTo(user.email)).toEqual([])
  clock.advance(2000)
  await Promise.all(Array.from({ length: 8 }, away))
  const [mail, ...more] = await mailsTo(user.email)
  expect(more).toEqual([])
  expect(mail!.subject).toBe('【明细】客服回复了你')
  expect(mail!.text).toContain('你有 2 条未读的客服回复：\n\n第二条 <b>&amp;</b>')
  expect(mail!.text).toContain('http://localhost:3000/api#support')
  const { html } = (await listSandboxMails(db, user.email))[0]!
  expect(html).toContain('第二条 &lt;b&gt;&amp;amp;&lt;/b&gt;')
  await answer(id, '第三条')
  clock.advance(awaySeconds.fallback * 1000)
  await away()
  expect(await mailsTo(user.email)).toHaveLength(1)
  clock.advance(userMailPauseSeconds.fallback * 1000)
  await away()
  const mails = await mailsTo(user.email)
  expect(mails).toHaveLength(2)
  expect(mails[0]!.text).toContain('1 条未读')
})

test('an answer that the user saw in time is not mailed', async () => {
  const { clock, app, away, mailsTo, answer } = await stage()
  const user = await aUser(app.deps)
  const { id } = await aConversation(app.deps, { userId: user.userId })
  const { seq } = await answer(id, 'seen')
  await app.call('POST', '/common/support/read', { conversationId: id, seq }, { token: user.token })
  clock.advance(3_600_000)
  await away()
  expect(await mailsTo(user.email)).toEqual([])
})

test('a visitor’s mail carries the private link behind the #, and the link opens the conversation', async () => {
  const { clock, app, away, mailsTo, answer } = await stage()
  const { id, visitorToken } = await aConversation(app.deps, { email: 'Guest.Mail@example.com' })
  await answer(id, '你好')
  clock.advance(awaySeconds.fallback * 1000)
  await away()
  const [mail] = await mailsTo('guest.mail@example.com')
  const token = /#support=(\S+)/.exec(mail!.text)?.[1]
  expect(token).toBe(visitorToken)
  expect(mail!.text).toContain('http://localhost:3000/#support=')
  expect((await app.call('POST', '/common/support/messages', { conversationId: id, visitorToken: token })).data.messages).toHaveLength(2)
  const rows = await db.query(`select content from notices_mails where recipient = 'guest.mail@example.com' or recipient = 'Guest.Mail@example.com'`)
  expect(rows).toEqual([{ content: null }])
})

test('the support address gets one mail for a burst of new questions, and none for seen or answered ones', async () => {
  const { clock, app, away, mailsTo, answer } = await stage()
  const before = (await mailsTo(DESK)).length
  const user = await aUser(app.deps)
  const { id } = await aConversation(app.deps, { userId: user.userId, text: '第一问', orderNo: 'R2026-0001' })
  const write = (text: string) => app.call('POST', '/common/support/send', { conversationId: id, clientId: randomUUID(), text }, { token: user.token })
  await write('第二问')
  clock.advance(operatorMailSeconds.fallback * 1000)
  await Promise.all(Array.from({ length: 8 }, away))
  const mails = await mailsTo(DESK)
  expect(mails).toHaveLength(before + 1)
  expect(mails[0]!.subject).toBe(`【客服】${user.userId}：2 条新消息`)
  for (const part of ['第二问', id, 'R2026-0001', 'npm run operate -- conversation.answer']) expect(mails[0]!.text).toContain(part)
  await write('第三问')
  clock.advance(60_000)
  await away()
  expect(await mailsTo(DESK)).toHaveLength(before + 1)
  clock.advance(operatorMailPauseSeconds.fallback * 1000)
  await away()
  expect(await mailsTo(DESK)).toHaveLength(before + 2)
  await write('第四问')
  await openConversation(db, id)
  clock.advance(3_600_000)
  await away()
  await write('第五问')
  await answer(id, '好')
  clock.advance(3_600_000)
  await away()
  expect(await mailsTo(DESK)).toHaveLength(before + 2)
})

test('an account without a proven e-mail, or closed: no mail, and nothing stays due', async () => {
  const { clock, app, away, answer } = await stage()
  const { id } = await aConversation(app.deps, { userId: 'usr_nobody' })
  await answer(id, 'hello')
  clock.advance(3_600_000)
  await away()
  expect(await db.query('select user_mail_at from support_conversations where id = $1', [id])).toEqual([{ userMailAt: null }])
})

test('conversations are deleted with their account', async () => {
  const { app } = await stage()
  const user = await aUser(app.deps)
  const { id } = await aConversation(app.deps, { userId: user.userId })
  await transact(db, { kind: 'user', id: user.userId }, async (tx) => {
    await tx.audit('account.deleted', `user:${user.userId}`)
    await tx.emit('user.deleted', { userId: user.userId })
  })
  await app.settle()
  expect(await db.query('select 1 from support_conversations where id = $1', [id])).toEqual([])
})

test('a complaint is kept and mailed, once for its key; limited; checked', async () => {
  const { app, mailsTo } = await stage()
  const before = (await mailsTo(DESK)).length
  const complain = (input: object, idempotencyKey: string = randomUUID(), ip = '198.51.100.7') =>
    app.call('POST', '/common/complaint', input, { idempotencyKey, ip })
  const good = { content: '<script>alert(1)</script> 充值两次只到账一次', email: 'angry@example.com', orderNo: 'R2026-0002' }
  const key = randomUUID()
  const replies = await Promise.all(Array.from({ length: 10 }, () => complain(good, key)))
  expect(new Set(replies.map(({ data }) => data.complaintId)).size).toBe(1)
  await app.settle()
  const mails = await mailsTo(DESK)
  expect(mails).toHaveLength(before + 1)
  for (const part of [good.content, 'angry@example.com', 'R2026-0002']) expect(mails[0]!.text).toContain(part)
  expect((await listSandboxMails(db, DESK))[0]!.html).not.toContain('<script>')
  for (const wrong of [
    { ...good, email: 'no' },
    { ...good, email: 'a@b.c\r\nBcc: x@y.z' },
    { ...good, content: '' },
    { ...good, orderNo: 'a b' },
    { email: good.email },
  ])
    expect((await complain(wrong)).code).toBe(400)
  // without a key it is a new complaint
  expect((await app.call('POST', '/common/complaint', good)).code).toBe(200)
  const flood = await Promise.all(Array.from({ length: 10 }, () => complain(good)))
  expect(flood.filter(({ code }) => code === 200)).toHaveLength(4)
  expect(flood.find(({ code }) => code !== 200)).toMatchObject({ status: 429, code: 3301 })
})

test('the sandbox page reads, answers and closes; it escapes, wants its own form, and is not there in production', async () => {
  const { app } = await stage()
  const { id } = await aConversation(app.deps, { text: '<img src=x onerror=alert(1)>', email: 'box@example.com' })
  const url = `/sandbox/support/${id}`
  const page = await app.inject({ url })
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('&#60;img src=x onerror=alert(1)&#62;')
  expect(page.body).not.toContain('<img')
  expect(page.headers['content-security-policy']).toContain(`default-src 'none'`)
  const token = /name="token" value="([\w-]+)"/.exec(page.body)![1]!
  const post = (body: Record<string, string>) =>
    app.inject({ method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: new URLSearchParams(body).toString() })
  expect((await post({ token: 'x', do: 'answer', text: 'forged' })).statusCode).toBe(403)
  expect((await post({ token, do: 'answer', text: '已处理' })).statusCode).toBe(303)
  expect((await post({ token, do: 'close', text: '' })).statusCode).toBe(303)
  const { messages, state } = await openConversation(db, id)
  expect(messages.map(({ author, text, event }) => [author, text || event])).toEqual([
    ['user', '<img src=x onerror=alert(1)>'],
    ['operator', '已处理'],
    ['system', 'closed'],
  ])
  expect(state).toBe('closed')
  const panel = await support.sandboxPanels![0]!(app.deps)
  expect(JSON.stringify(panel.rows)).toContain(`/sandbox/support/${id}`)
  expect((await app.inject({ url: '/sandbox/support/conv_none' })).statusCode).toBe(404)
  const real = createTestApp({ features: [account, notices, risk, support], db, env: { STAGE: 'production', ALLOW_SANDBOX: 'mail' } })
  expect((await real.inject({ url })).statusCode).toBe(404)
  expect((await support.sandboxPanels![0]!(real.deps)).rows).toEqual([])
})

test('closing a conversation sends no mail', async () => {
  const { clock, app, away, mailsTo } = await stage()
  const user = await aUser(app.deps)
  const { id } = await aConversation(app.deps, { userId: user.userId })
  await closeConversation(app.deps, operator, id)
  clock.advance(3_600_000)
  await away()
  expect(await mailsTo(user.email)).toEqual([])
})

test('"too many" is not stored as an answer: it leaves no row, and the same key is served later', async () => {
  const { app, clock } = await stage()
  const complain = (idempotencyKey: string) =>
    app.call('POST', '/common/complaint', { content: 'what went wrong here', email: 'angry@example.com' }, { idempotencyKey, ip: '203.0.113.77' })
  const kept = async () => (await db.query(`select key from idempotency_keys where key like 'flood-%'`)).length
  const answers: number[] = []
  for (let n = 0; n < 9; n++) answers.push((await complain(`flood-${n}`)).status)
  const served = answers.filter((status) => status === 200).length
  expect(answers.slice(served)).toEqual(Array.from({ length: 9 - served }, () => 429))
  expect([served < 9, await kept()]).toEqual([true, served])
  clock.advance(3_600_001)
  expect((await complain('flood-8')).status).toBe(200)
})
