import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { anOperator, anOperatorToken } from '../../builders.ts'
import type { BuiltOperator } from '../../builders.ts'
import { createBackoffice } from '../../index.ts'

const product = [account, notices, payments, risk, wallet]
const db = await useTestDb()
const clock = createRunningClock()
const { call, deps, settle } = createTestApp({ features: [...product, createBackoffice(product)], db, clock, surface: 'operators' })

let asker: BuiltOperator
let second: BuiltOperator
let no: string
beforeAll(() => chooseCaptcha(deps, 'off'))
beforeEach(async () => {
  asker = await anOperator(deps, ['finance'], { name: 'Lin Ke' })
  second = await anOperator(deps, ['finance'], { name: 'Chen Yu' })
  const input = { user: (await aUser(deps)).userId, amount: '60', purpose: 'goodwill', days: 30 }
  const { data } = await call('POST', '/operator/do/credit.grant/preview', input, { token: asker.token })
  const asked = await call(
    'POST',
    '/operator/do/credit.grant',
    { ...input, reasonCode: 'customerAsked', reason: 'a reason of some length', expects: data.expects },
    { token: asker.token, idempotencyKey: `k${Math.random()}` },
  )
  no = asked.data.no
})
const post = (who: { token: string }, what: string, input: object) => call('POST', `/operator/command/${what}`, { no, ...input }, { token: who.token })
const question = (who: { token: string }, text = 'Which order is this for?') => post(who, 'question', { text })
const readOneCommand = async (who: { token: string } = second) => (await call('GET', '/operator/command', { no }, { token: who.token })).data
const mailsTo = async (who: BuiltOperator) => {
  await settle()
  return (await listSandboxMails(db, who.mail)).map(({ text }) => text)
}

test('an approver asks a question, the requester answers, and the command keeps waiting with both shown', async () => {
  expect((await question(second)).data).toMatchObject({ no, state: 'waiting' })
  expect(await readOneCommand()).toMatchObject({
    state: 'waiting',
    askedBack: true,
    questions: [{ operatorId: second.id, text: 'Which order is this for?', answer: null }],
  })
  expect((await mailsTo(asker)).join()).toContain('Which order is this for?')
  const [{ id }] = (await readOneCommand()).questions
  expect((await post(asker, 'answer', { questionId: id, text: 'R1, paid twice' })).data).toMatchObject({ state: 'waiting' })
  expect(await readOneCommand()).toMatchObject({ askedBack: false, questions: [{ answer: 'R1, paid twice', answeredAt: expect.any(String) }] })
  expect((await mailsTo(second)).join()).toContain('R1, paid twice')
  const kept = await db.query(
    `select action, actor_id, data from audit_rows where target = $1 and action in ('command.asked-back', 'command.answered') order by id`,
    [`command:${no}`],
  )
  expect(kept).toMatchObject([
    { action: 'command.asked-back', actorId: second.id, data: { question: 'Which order is this for?' } },
    { action: 'command.answered', actorId: asker.id, data: { answer: 'R1, paid twice' } },
  ])
  expect((await post(second, 'approve', { reason: '' })).data.state).toBe('done')
  expect((await question(second, 'And now?')).code).toBe(5015)
})

test('the same question twice is one question and one mail; the same answer twice is one answer, another one is refused', async () => {
  await Promise.all([question(second), question(second), question(second)])
  const { questions } = await readOneCommand()
  expect([questions.length, (await mailsTo(asker)).length]).toEqual([1, 1])
  const answer = (text: string) => post(asker, 'answer', { questionId: questions[0].id, text })
  const codes = (await Promise.all([answer('R1'), answer('R1')])).map(({ code }) => code)
  expect([...codes, (await answer('R1')).code, (await answer('R2')).code]).toEqual([200, 200, 200, 5019])
  expect((await mailsTo(second)).length).toBe(1)
})

test('the requester, operators who may not approve and scripts ask no question; only the requester answers', async () => {
  expect((await question(asker)).code).toBe(5016)
  expect((await question(await anOperator(deps, ['support']))).status).toBe(403)
  expect((await question(await anOperatorToken(deps, second.id, ['customers.grant', 'work.read']))).code).toBe(5009)
  await question(second)
  const [{ id }] = (await readOneCommand()).questions
  expect((await post(second, 'answer', { questionId: id, text: 'mine' })).status).toBe(403)
  expect((await post(asker, 'answer', { questionId: '999999', text: 'mine' })).status).toBe(404)
  expect((await call('POST', '/operator/command/question', { no: 'C20261121-0000000A', text: 'x' }, { token: second.token })).status).toBe(404)
  await expect(
    db.query(`insert into backoffice_questions (command_id, operator_id, text) select id, asked_by, 'x' from backoffice_commands where no = $1`, [no]),
  ).rejects.toThrow('asks themselves')
  await expect(db.query(`insert into backoffice_answers (question_id, operator_id, text) values ($1, $2, 'x')`, [id, second.id])).rejects.toThrow(
    'only who asked',
  )
})

test('a question blocks no decision, and the work list shows it as waiting for an answer', async () => {
  await question(second)
  const item = (await call('GET', '/operator/work/item', { id: `approval:${no}` }, { token: second.token })).data
  expect(item).toMatchObject({ note: 'approvalAsked' })
  expect((await call('GET', '/operator/command/list', { state: 'waiting' }, { token: second.token })).data.commands[0]).toMatchObject({ no, askedBack: true })
  expect((await post(second, 'refuse', { reason: 'no answer came' })).data.state).toBe('refused')
  const [{ id }] = (await readOneCommand()).questions
  expect((await post(asker, 'answer', { questionId: id, text: 'too late' })).code).toBe(5015)
})
