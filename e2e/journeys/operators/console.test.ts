import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { createId } from '#platform/shared/ids.ts'
import { fill } from '#platform/shared/texts.ts'
import { runAxe, pickLook, measureOverflow } from '#platform/testing/browser.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { anOperator, generateTotp } from '#features/backoffice/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { createDeskTranslator, startConsoleServer } from '../../console-server.ts'

// Operators at work in the console on its separate origin: sign-in, money approved by two people, a freeze and its undo, and the end of a
// session.
const { origin, db, deps, at } = await startConsoleServer()
const WHY = 'the customer called and was asked back'

/** A customer who has visited once. */
async function aCustomer(): Promise<string> {
  const userId = createId('usr')
  await db.query(`insert into account_users (id, name, created_at) values ($1, 'Ouyang', now())`, [userId])
  return userId
}

/** A withdrawal of $1,200 that waits for an operator. */
async function aPendingWithdrawal(): Promise<{ withdrawalNo: string; userId: string }> {
  const userId = await aCustomer()
  await aFundedUser(db, { userId, purchased: 2_000_000_000_000n })
  const withdrawalNo = `W20261122-${userId.slice(-12).toUpperCase()}`
  await db.query(
    `insert into payments_withdrawals (withdrawal_no, user_id, amount_nano, rate, pay_minor, state, shown, next_check_at)
    values ($1, $2, 1200000000000, '7.1', 852000, 'approving', '{"alipay":"w***g@example.com","name":"**明"}', now() + interval '9 days')`,
    [withdrawalNo, userId],
  )
  return { withdrawalNo, userId }
}

async function checkPage(page: Page, problems: readonly string[]): Promise<void> {
  // an element that closes stays visible for a moment
  await expect.poll(() => runAxe(page), { timeout: PATIENCE_MS }).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  expect(problems).toEqual([])
}

test.each(pickLook())('$width $lang $theme: in by password and code, then by a passkey', async (look) => {
  const t = createDeskTranslator(look.lang)
  const operator = await anOperator(deps, ['support'], { name: 'Zhou Nan' })
  const { page, context, problems } = await at(look, undefined)
  const authenticator = await context.newCDPSession(page)
  await authenticator.send('WebAuthn.enable')
  await authenticator.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${origin}/me`)
  await page.getByRole('button', { name: t('access', 'byPassword'), exact: true }).click()
  await checkPage(page, problems)
  await page.getByLabel(t('access', 'mail'), { exact: true }).fill(operator.mail)
  await page.getByLabel(t('access', 'password'), { exact: true }).fill(operator.password)
  await page.getByLabel(t('access', 'code'), { exact: true }).fill(generateTotp(operator.totpSecret, new Date()))
  await page.getByRole('button', { name: t('access', 'enter'), exact: true }).click()
  // the page requested before signing in
  await page.getByRole('heading', { name: t('own', 'title'), exact: true }).waitFor()
  await page.getByRole('button', { name: t('own', 'addPasskey'), exact: true }).click()
  await page.getByLabel(t('own', 'passkeyName'), { exact: true }).fill('laptop')
  await page.getByRole('button', { name: t('own', 'add'), exact: true }).click()
  await page.getByText('laptop', { exact: true }).waitFor()
  await checkPage(page, problems)
  await page.getByRole('button', { name: t('kit', 'operatorMenu'), exact: true }).click()
  await page.getByRole('menuitem', { name: t('kit', 'signOut'), exact: true }).click()
  await page.getByRole('button', { name: t('access', 'byPasskey'), exact: true }).click()
  await page.getByText('laptop', { exact: true }).waitFor()
  const methods = await db.query<{ method: string }>('select method from backoffice_sessions where operator_id = $1 order by created_at', [operator.id])
  expect(methods.map(({ method }) => method).slice(-2)).toEqual(['totp', 'passkey'])
  await context.close()
})

test.each(pickLook())('$width $lang $theme: a withdrawal by two people', async (look) => {
  const t = createDeskTranslator(look.lang)
  const [asks, decides] = [await anOperator(deps, ['finance'], { name: 'Lin Ke' }), await anOperator(deps, ['owner'], { name: 'Chen Yu' })]
  const { withdrawalNo } = await aPendingWithdrawal()
  const one = await at(look, asks)
  await one.page.goto(`${origin}/withdrawals?open=${withdrawalNo}`)
  await one.page.getByLabel(t('kit', 'reason'), { exact: true }).fill(WHY)
  await checkPage(one.page, one.problems)
  await one.page
    .getByRole('button', { name: t('kit', 'sendForApproval', { act: fill(t('money', 'approveLabel'), { amount: '¥8,520.00' }) }), exact: true })
    .click()
  // operators cannot decide their own requests
  await one.page.getByRole('link', { name: t('money', 'toApproval'), exact: true }).click()
  await one.page.getByText(t('approvals', 'ownNote'), { exact: true }).waitFor()
  await checkPage(one.page, one.problems)
  await one.context.close()

  const two = await at(look, decides)
  await two.page.goto(`${origin}/?view=second`)
  await two.page.getByText(withdrawalNo, { exact: true }).first().click()
  // the list's detail sheet opens next to it
  await two.page.getByRole('link', { name: t('money', 'toApproval'), exact: true }).waitFor()
  await checkPage(two.page, two.problems)
  await two.page.getByRole('link', { name: t('money', 'toApproval'), exact: true }).click()
  await two.page
    .getByRole('button', { name: t('approvals', 'approveAct', { act: `${t('words', 'command_withdrawal.approve')} $1,200.00` }), exact: true })
    .click()
  await expect
    .poll(async () => (await db.query<{ state: string }>('select state from payments_withdrawals where withdrawal_no = $1', [withdrawalNo]))[0]?.state)
    .not.toBe('approving')
  await two.context.close()
})

test.each(pickLook())('$width $lang $theme: a customer is frozen and thawed, then the operator is suspended with the tab open', async (look) => {
  const t = createDeskTranslator(look.lang)
  const support = await anOperator(deps, ['support'], { name: 'Zhou Nan' })
  const userId = await aCustomer()
  const { page, context, problems } = await at(look, support)
  const stateOf = async () => (await db.query<{ status: string }>('select status from account_users where id = $1', [userId]))[0]?.status
  await page.goto(`${origin}/customers/${userId}`)
  await page.getByRole('button', { name: `${t('customers', 'freeze')}…`, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(WHY)
  await checkPage(page, problems)
  await dialog.getByRole('button', { name: t('words', 'command_account.freeze'), exact: true }).click()
  await page.getByRole('button', { name: `${t('customers', 'thaw')}…`, exact: true }).waitFor()
  expect(await stateOf()).toBe('frozen')
  await page.getByRole('button', { name: new RegExp(`^${t('kit', 'undo')}`) }).click()
  await page.getByRole('button', { name: `${t('customers', 'freeze')}…`, exact: true }).waitFor()
  expect(await stateOf()).toBe('active')
  await checkPage(page, problems)

  await db.query(`update backoffice_operators set status = 'suspended' where id = $1`, [support.id])
  await page.mouse.move(200, 300)
  await page.getByText(t('access', 'sessionEnded'), { exact: true }).waitFor()
  await context.close()
})
