import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { pickLook } from '#platform/testing/browser.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { changeUpstream } from '#features/gateway/server/upstreams/change-routes.ts'
import { startModelStandIn } from '#stand-ins/models/test-server.ts'
import { startConsoleServer } from '../../console-server.ts'
import { callPlatform } from '../../visitor.ts'
import { aPaidSandboxOrder, aBrowserPayer, createPageCheck, takeScreenshot } from '../pay-visit.ts'
import { openDeskPage, aWaitingWithdrawal, clickButton, COMMAND_REASON } from './desk-visit.ts'

// Operators' actions at their desks, and their effects for customers: a held withdrawal, a question to a colleague, a snoozed conversation, an
// upstream's key and test call, evidence against a dispute, a resent mail, a blocked payer; a paused key and an inviter's rate.
const desk = await startConsoleServer()
const { origin, server, browser, db, deps } = desk
const KEY = 'sandbox-of-the-journey'
const vendor = await startModelStandIn({ keys: [KEY] })
afterAll(() => vendor.stop())

const queryRow = async (query: string, values: unknown[]) => (await db.query(query, values))[0]
const expectRowEventually = (query: string, values: unknown[]) => expect.poll(() => queryRow(query, values), { timeout: PATIENCE_MS })

test.each(pickLook())('$width $lang $theme: a withdrawal is put on hold and released; the customer reads that it is checked, not why', async (look) => {
  const { page, context, t, seen, run } = await openDeskPage(desk, look, await anOperator(deps, ['finance'], { name: 'Lin Ke' }))
  const payer = await aBrowserPayer(browser, server, look)
  const withdrawalNo = await aWaitingWithdrawal(desk, payer.userId, 600n)
  const held = 'select held_at is not null as held from payments_withdrawals where withdrawal_no = $1'
  await page.goto(`${origin}/withdrawals?open=${withdrawalNo}`)
  await page
    .getByRole('group', { name: t('money', 'decision'), exact: true })
    .getByRole('button', { name: t('money', 'hold'), exact: true })
    .click()
  await page.getByLabel(t('kit', 'reason'), { exact: true }).fill(COMMAND_REASON)
  await seen('desk-hold')
  await page
    .getByRole('button', { name: t('money', 'hold'), exact: true })
    .last()
    .click()
  await page.getByRole('button', { name: `${t('money', 'release')}…`, exact: true }).waitFor()
  await expectRowEventually(held, [withdrawalNo]).toEqual({ held: true })
  await seen('desk-held')

  await payer.page.goto(`${server.baseUrl}/withdrawals/${withdrawalNo}`)
  await payer.page.getByText(withdrawalNo, { exact: true }).first().waitFor()
  expect(await payer.page.locator('body').innerText()).not.toContain(COMMAND_REASON)
  await createPageCheck(payer.page, look)('customer-held')
  expect(payer.problems).toEqual([])

  await clickButton(page, `${t('money', 'release')}…`)
  await run('withdrawal.release')
  await expectRowEventually(held, [withdrawalNo]).toEqual({ held: false })
  await Promise.all([context.close(), payer.context.close()])
})

test.each(pickLook())('$width $lang $theme: an approver asks back, and the asker answers', async (look) => {
  const [asks, decides] = [await anOperator(deps, ['finance'], { name: 'Lin Ke' }), await anOperator(deps, ['owner'], { name: 'Chen Yu' })]
  const payer = await aBrowserPayer(browser, server, look)
  const input = { withdrawalNo: await aWaitingWithdrawal(desk, payer.userId, 1200n) }
  await payer.context.close()
  const ask = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'operatortoken': asks.token, 'idempotency-key': randomUUID() }
    const reply = await fetch(`${origin}/operator/do/withdrawal.approve${path}`, { method: 'POST', headers, body: JSON.stringify({ ...input, ...body }) })
    return ((await reply.json()) as { data: { expects: string; no: string } }).data
  }
  const { no } = await ask('', { expects: (await ask('/preview', {})).expects, reasonCode: 'customerAsked', reason: COMMAND_REASON })
  const question = '收款账号是昨天换的，客户本人确认过吗？'
  const answer = '11 月 25 日 15:40 电话核对过，本人'

  const two = await openDeskPage(desk, look, decides)
  await two.page.goto(`${origin}/approvals?open=${no}`)
  await two.page.getByLabel(two.t('approvals', 'decideReason'), { exact: true }).fill(question)
  await two.seen('desk-ask-back')
  await clickButton(two.page, two.t('approvals', 'askBack', { name: 'Lin Ke' }))
  await two.page.getByText(two.t('approvals', 'noAnswer'), { exact: true }).waitFor()
  await two.seen('desk-asked-back')

  const first = await openDeskPage(desk, look, asks)
  await first.page.goto(`${origin}/approvals?open=${no}`)
  await first.page.getByLabel(first.t('approvals', 'yourAnswer', { name: 'Chen Yu' }), { exact: true }).fill(answer)
  await first.seen('desk-answer')
  await clickButton(first.page, first.t('approvals', 'answer'))
  await first.page.getByText(`“${answer}”`, { exact: true }).waitFor()
  await two.page.reload()
  await two.page.getByText(`“${answer}”`, { exact: true }).waitFor()
  await two.seen('desk-answered')
  expect(await queryRow('select state from backoffice_commands where no = $1', [no])).toEqual({ state: 'waiting' })
  await Promise.all([two.context.close(), first.context.close()])
})

test.each(pickLook())('$width $lang $theme: a conversation is put off, put back and made urgent', async (look) => {
  const { page, context, t, seen, run } = await openDeskPage(desk, look, await anOperator(deps, ['support'], { name: 'Zhou Nan' }))
  const payer = await aBrowserPayer(browser, server, look)
  const text = '充值后余额没有变化，订单是今天上午付的'
  const { data } = await callPlatform(server, 'POST', {
    path: '/common/support/start',
    input: { clientId: randomUUID(), text },
    headers: { accesstoken: payer.token },
  })
  await payer.context.close()
  const id: string = data.conversation.id
  const kept = 'select priority, snoozed_until is not null as sleeps from support_conversations where id = $1'
  await page.goto(`${origin}/support?open=${id}`)
  // the list's own view button has the same name, and loads earlier
  const snooze = page.locator('button[aria-haspopup="menu"]', { hasText: t('support', 'snooze') })
  await snooze.click()
  await page.getByRole('menuitem', { name: new RegExp(`^${t('support', 'snooze_hours')}`) }).waitFor()
  await takeScreenshot(page, `desk-snooze-menu-${look.width}-${look.lang}-${look.theme}`)
  await page.getByRole('menuitem', { name: new RegExp(`^${t('support', 'snooze_hours')}`) }).click()
  await seen('desk-snooze')
  await run('conversation.snooze', false)
  await expectRowEventually(kept, [id]).toEqual({ priority: 2, sleeps: true })
  await page.getByRole('button', { name: `${t('support', 'wake')}…`, exact: true }).waitFor()
  await seen('desk-snoozed')
  await clickButton(page, `${t('support', 'wake')}…`)
  await run('conversation.wake', false)
  await snooze.waitFor()
  await clickButton(page, t('support', 'colPriority'))
  await page
    .getByRole('menuitemcheckbox', { name: t('support', 'priority_urgent'), exact: true })
    .or(page.getByRole('menuitem', { name: t('support', 'priority_urgent'), exact: true }))
    .click()
  await run('conversation.priority', false)
  await expectRowEventually(kept, [id]).toEqual({ priority: 0, sleeps: false })
  await seen('desk-urgent')
  await context.close()
})

test.each(pickLook())('$width $lang $theme: an upstream’s key is handed in and a test call made with it', async (look) => {
  const { page, context, t, seen, run, dialog } = await openDeskPage(desk, look, await anOperator(deps, ['supply'], { name: 'Su Qing' }))
  const id = `east-${randomUUID().slice(0, 8)}`
  const BY = { kind: 'operator', id: 'test' } as const
  await changeUpstream(db, BY, { id, change: { vendor: 'sandbox-openai', baseUrl: `${vendor.url}/openai`, credentialEnv: 'UPSTREAM_EAST_KEY' }, reason: 'new' })
  await page.goto(`${origin}/upstreams`)
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: id, exact: true }) })
  await clickButton(card, `${t('models', 'setKey')}…`)
  await dialog.getByLabel(t('words', 'field_credential'), { exact: true }).fill(KEY)
  await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(COMMAND_REASON)
  await seen('desk-set-key')
  await run('upstream.set-key')
  await card.getByRole('button', { name: `${t('models', 'retireKey')}…`, exact: true }).waitFor()
  await clickButton(card, `${t('models', 'test')}…`)
  await dialog.getByLabel(t('words', 'field_model'), { exact: true }).fill('gpt-4o')
  await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(COMMAND_REASON)
  await seen('desk-test-call')
  await run('upstream.test')
  // scoped to the list, because the upstream's own state has the same text
  const calls = card.getByRole('list', { name: t('models', 'tests'), exact: true })
  await calls.getByText(t('models', 'test_done'), { exact: true }).waitFor()
  // a test call whose outcome is unknown
  await db.query(
    `insert into gateway_test_calls (test_id, upstream_id, model_id, upstream_model, dialect, cost_bp, state, asked_by, asked_at, called_at, ended_at, most_input, most_output, held, input_tokens, cached_tokens, output_tokens, cost)
    select 'gtc_' || upper(substr(md5(random()::text), 1, 26)), upstream_id, model_id, upstream_model, dialect, cost_bp, 'unknown', asked_by, now(), now(), now(), 620, 16, 1710000, 620, 0, 16, 1710000
    from gateway_test_calls where upstream_id = $1`,
    [id],
  )
  await page.reload()
  await calls.getByText(t('models', 'test_unknown'), { exact: true }).waitFor()
  await seen('desk-tested')
  await expectRowEventually(`select state, status, cost > 0 as costs from gateway_test_calls where upstream_id = $1 and state = 'done'`, [id]).toEqual({
    ...{ state: 'done', status: 200, costs: true },
  })
  await context.close()
})

test.each(pickLook())('$width $lang $theme: evidence goes to the channel, and the mail about the payment goes again', async (look) => {
  const { page, context, t, seen, run, dialog } = await openDeskPage(desk, look, await anOperator(deps, ['owner'], { name: 'Chen Yu' }))
  const payer = await aBrowserPayer(browser, server, look)
  const orderNo = await aPaidSandboxOrder(server, payer, { amount: '5.31' })
  await db.query('update payments_orders set next_check_at = now() where order_no = $1', [orderNo])
  const disputes = 'select d.dispute_id from payments_disputes d join payments_orders o on o.id = d.order_id where o.order_no = $1'
  await expectRowEventually(disputes, [orderNo]).toBeDefined()
  const { disputeId } = (await queryRow(disputes, [orderNo])) as { disputeId: string }
  await db.query(`update payments_disputes set due_at = now() + interval '5 days' where dispute_id = $1`, [disputeId])
  await page.goto(`${origin}/orders?open=${orderNo}`)
  await page.getByRole('button', { name: `${t('money', 'submitEvidence')}…`, exact: true }).waitFor()
  await seen('desk-dispute')
  await clickButton(page, `${t('money', 'submitEvidence')}…`)
  await dialog
    .getByLabel(t('words', 'field_words'), { exact: true })
    .fill('The customer topped up, signed in from the same network and used the balance on the same day.')
  await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(COMMAND_REASON)
  await seen('desk-evidence')
  await run('dispute.submit')
  await expectRowEventually('select evidence_no is not null as there from payments_sandbox_disputes where dispute_id = $1', [disputeId]).toEqual({
    there: true,
  })
  await expectRowEventually('select e.state from payments_evidence e join payments_disputes d on d.id = e.dispute_pk where d.dispute_id = $1', [
    disputeId,
  ]).toEqual({
    state: 'taken',
  })
  await page.reload()
  await page.getByText(t('money', 'evidence_taken'), { exact: true }).waitFor()
  await page.locator('details summary').last().click()
  await seen('desk-evidence-taken')

  const again = `select count(*)::int as n from notices_mails where recipient = $1 and resent_from is not null`
  await expectRowEventually(`select count(*) > 0 as kept from notices_mails where recipient = $1 and kept is not null`, [payer.email]).toEqual({ kept: true })
  await page.goto(`${origin}/customers/${payer.userId}`)
  await page
    .getByRole('button', { name: new RegExp(`^${t('customers', 'tab_notices')}`) })
    .first()
    .click()
  await page
    .getByRole('button', { name: `${t('customers', 'resend')}…`, exact: true })
    .first()
    .click()
  await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(COMMAND_REASON)
  await seen('desk-resend')
  await run('notice.resend')
  await expectRowEventually(again, [payer.email]).toEqual({ n: 1 })
  await Promise.all([context.close(), payer.context.close()])
})

test.each(pickLook())('$width $lang $theme: a payer is blocked, and the block lifted', async (look) => {
  const { page, context, t, seen, run, dialog } = await openDeskPage(desk, look, await anOperator(deps, ['risk'], { name: 'He Jia' }))
  // a payer's number is stored as its first and last digits and a hash
  const value = `25:20881021${Math.trunc(1e7 + Math.random() * 9e7)}`
  const note = `三天内 14 笔拒付，${value.slice(-6)}`
  const state = `select lifted_at is null as holds from risk_blocks where kind = 'payer' and note = $1`
  await page.goto(`${origin}/blocks?open=new`)
  await clickButton(page.getByRole('group', { name: t('blocks', 'kind'), exact: true }), t('words', 'value_payer'))
  await page.getByLabel(t('blocks', 'value_payer'), { exact: true }).fill(value)
  await page.getByLabel(t('blocks', 'note'), { exact: true }).fill(note)
  await seen('desk-block')
  await clickButton(page, t('blocks', 'next'))
  await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(COMMAND_REASON)
  await seen('desk-block-preview')
  await run('risk.block')
  await expectRowEventually(state, [note]).toEqual({ holds: true })
  expect(await page.locator('main').innerText()).not.toContain(value)
  await page.getByText(note, { exact: true }).first().click()
  await page.getByRole('button', { name: `${t('words', 'command_risk.unblock')}…`, exact: true }).waitFor()
  await seen('desk-blocked')
  await clickButton(page, `${t('words', 'command_risk.unblock')}…`)
  await run('risk.unblock')
  await expectRowEventually(state, [note]).toEqual({ holds: false })
  await context.close()
})

test.each(pickLook())('$width $lang $theme: a customer sees a paused key and a rate that applies to them alone', async (look) => {
  const { page, context, t, seen } = await openDeskPage(desk, look, await anOperator(deps, ['owner'], { name: 'Chen Yu' }))
  const payer = await aBrowserPayer(browser, server, look)
  const { key } = await aKey(db, payer.userId, { name: 'claude-code' })
  await aKey(db, payer.userId, { name: 'nightly' })
  await db.query(`update gateway_keys set paused_at = now(), paused_reason = $2, paused_by = 'operator:test' where key_id = $1`, [key.keyId, COMMAND_REASON])
  await db.query(
    `insert into invitations_rates (inviter_id, reward_nano, valid_from, valid_until, reason, made_by) values ($1, 5250000000, now(), now() + interval '60 days', $2, 'test')`,
    [payer.userId, COMMAND_REASON],
  )
  const look1 = createPageCheck(payer.page, look)
  await payer.page.goto(`${server.baseUrl}/api?tab=keys`)
  await payer.page.getByText('claude-code', { exact: true }).first().waitFor()
  await payer.page
    .getByText(look.lang === 'zh' ? /起，请联系客服$/ : /^Since .*; contact support$/)
    .first()
    .waitFor()
  expect(await payer.page.locator('body').innerText()).not.toContain(COMMAND_REASON)
  await look1('customer-paused-key')
  await payer.page.goto(`${server.baseUrl}/invite-record`)
  await payer.page.getByText(/5\.25/).first().waitFor()
  expect(await payer.page.locator('body').innerText()).not.toContain(COMMAND_REASON)
  await look1('customer-own-rate')
  expect(payer.problems).toEqual([])
  await page.goto(`${origin}/risk?open=${payer.userId}`)
  await page.getByRole('button', { name: `${t('services', 'rateEnd')}…`, exact: true }).waitFor()
  await seen('desk-own-rate')
  await page.goto(`${origin}/customers/${payer.userId}`)
  await page
    .getByRole('button', { name: new RegExp(`^${t('customers', 'tab_keys')}`) })
    .first()
    .click()
  await page.getByRole('button', { name: `${t('customers', 'resumeKey')}…`, exact: true }).waitFor()
  await seen('desk-paused-key')
  await Promise.all([context.close(), payer.context.close()])
})
