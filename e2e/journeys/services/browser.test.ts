import { afterAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { fill } from '#platform/shared/texts.ts'
import { pickLook } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { readCopiedText } from '#platform/testing/browsing/copied-text.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { anOfferedBrowser, anUnofferedBrowser } from '#features/browser/server/builders.ts'
import { browserTexts } from '#features/browser/texts.ts'
import { createDeskTranslator, startConsoleServer } from '../../console-server.ts'
import { callPlatform } from '../../visitor.ts'
import { payDialogFromBalance } from '../card-steps.ts'
import { aBrowserPayer, fundPayer, markAsPaidBefore, createPageCheck, PAYER_PIN, setPayerPin } from '../pay-visit.ts'
import type { BrowserPayer } from '../pay-visit.ts'
import { runDeskCommand } from './desk-command.ts'

// The accelerated browser from "not offered" through trial and package to their ends, and the e-mail account that operators create for it.
const { browser, server, origin, db, deps, at } = await startConsoleServer()
const owner = connect(server.databaseUrl, { max: 1, asOwner: true })
afterAll(() => owner.close())
const PATH = '/v1/tool/proxy/browser'
const DAY_S = 86_400

const callAsPayer = (payer: BrowserPayer, method: 'GET' | 'POST', { path, input = {} }: { readonly path: string; readonly input?: object }) =>
  callPlatform(server, method, { path, input, headers: { 'accesstoken': payer.token, 'idempotency-key': createId('key') } })
/** The member's spendable balance, and the amount on hold. */
const readBalance = async (payer: BrowserPayer): Promise<readonly unknown[]> => {
  const { data } = await callAsPayer(payer, 'GET', { path: '/v1/userWrapperApi/balanceInfo' })
  const [row] = await db.query<{ held: bigint }>('select sum(held)::bigint as held from wallet_accounts where owner = $1', [`user:${payer.userId}`])
  return [data.balance, row!.held]
}
const checkSession = async (token: string) => (await callPlatform(server, 'POST', { path: `${PATH}/session`, input: { token } })).code
const expireTask = ({ userId }: BrowserPayer, what: 'deadline_at' | 'expires_at') =>
  db.query(
    `update services_tasks set ${what} = clock_timestamp(), next_check_at = clock_timestamp()
      where user_id = $1 and service = 'browser' and phase in ('waiting', 'using')`,
    [userId],
  )

/** Blocks a member's packages with a database trigger until the returned function removes it. */
async function blockPackages({ userId }: BrowserPayer): Promise<() => Promise<unknown>> {
  const name = `stall_${userId.toLowerCase()}`
  await owner.query(`create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'a test stalls it'; end $$`)
  await owner.query(
    `create trigger ${name} before update on services_tasks for each row
      when (new.user_id = '${userId}' and new.service = 'browser' and new.state = 'using') execute function ${name}()`,
  )
  return () => owner.query(`drop function ${name} cascade`)
}

/** A user with ten dollars and a payment password, on the page. */
async function aMember(look: PageLook): Promise<BrowserPayer> {
  const member = await aBrowserPayer(browser, server, look)
  await markAsPaidBefore(server, member)
  await setPayerPin(server, member)
  await fundPayer(server, member, 10_000_000_000n)
  return member
}

test.each(pickLook())(
  '$width $lang $theme: not offered, tried, over; a package that does not begin costs nothing, one that does is used and ends',
  async (look) => {
    const t = browserTexts[look.lang]
    const member = await aMember(look)
    const { page, problems } = member
    const seen = createPageCheck(page, look)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const tryIt = button(fill(t['browserTryIt'], { days: 7 }))
    const buy = button(fill(t['browserBuy'], { price: '$4.99' }))
    await anUnofferedBrowser(db)
    await page.goto(`${server.baseUrl}/browser`)
    await page.getByText(t['browserNotOffered'], { exact: true }).waitFor()
    expect(await Promise.all([tryIt.count(), buy.count()])).toEqual([0, 0])
    await seen('browser-not-offered')

    await anOfferedBrowser(db)
    await buy.waitFor()
    await seen('browser-offered')
    await tryIt.click()
    await page.getByText(t['browserKindTrial'], { exact: true }).waitFor()
    await button(t['browserTokenGet']).click()
    const token = String(
      await page
        .locator('code')
        .filter({ hasText: /^[\w-]{43}$/ })
        .textContent(),
    )
    await seen('browser-trial', 'passes')
    expect(await checkSession(token)).toBe(200)
    await expireTask(member, 'expires_at')
    await page.getByText(t['browserOverTrial'], { exact: true }).waitFor()
    await page.getByText(t['browserTokenKept'], { exact: true }).waitFor()
    expect(await button(t['browserTokenNew']).isDisabled()).toBe(true)
    await seen('browser-trial-over', 'passes')
    expect([await tryIt.count(), await checkSession(token), await readBalance(member)]).toEqual([0, 3763, ['10', 0n]])

    // The token was shown only once
    await page.reload()
    await page.getByText(t['browserOverTrial'], { exact: true }).waitFor()
    expect(await page.locator('code').count()).toBe(0)
    const goOn = await blockPackages(member)
    await buy.click()
    await payDialogFromBalance({ page, look })
    await page.getByText(t['browserMaking'], { exact: true }).waitFor()
    expect(await buy.count()).toBe(0)
    await seen('browser-making')
    expect(await readBalance(member)).toEqual(['10', 4_990_000_000n])
    await expireTask(member, 'deadline_at')
    await page.getByText(fill(t['browserFailedNote'], { amount: '$4.99' }), { exact: true }).waitFor()
    await goOn()
    await page.getByText('$10.00', { exact: true }).first().waitFor()
    await seen('browser-failed')
    expect(await readBalance(member)).toEqual(['10', 0n])

    await buy.click()
    await payDialogFromBalance({ page, look })
    await page.getByText(t['browserKindPackage'], { exact: true }).waitFor()
    await page.getByText(fill(t['browserDays'], { days: 30 }), { exact: true }).waitFor()
    expect([await checkSession(token), await readBalance(member)]).toEqual([200, ['5.01', 0n]])
    await button(t['browserTokenNew']).click()
    await page.getByRole('alertdialog').waitFor()
    await seen('browser-token-ask')
    await page.getByRole('alertdialog').getByRole('button', { name: t['browserTokenNew'], exact: true }).click()
    await page.locator('code').first().waitFor()
    expect(await checkSession(token)).toBe(3764)
    await button(fill(t['browserMore'], { days: 30, price: '$4.99' })).click()
    await payDialogFromBalance({ page, look })
    await page.getByText(fill(t['browserDays'], { days: 60 }), { exact: true }).waitFor()
    await page.getByText('$0.02', { exact: true }).first().waitFor()
    await seen('browser-package', 'passes')
    const { remainingTime } = (await callAsPayer(member, 'GET', { path: `${PATH}/packageUseInfo` })).data
    expect([Math.ceil(remainingTime / DAY_S), await readBalance(member)]).toEqual([60, ['0.02', 0n]])
    await expireTask(member, 'expires_at')
    await page.getByText(t['browserOverPackage'], { exact: true }).waitFor()
    await seen('browser-package-over', 'passes')
    expect(await readBalance(member)).toEqual(['0.02', 0n])
    expect(problems).toEqual([])
    await member.context.close()
  },
)

test.each(pickLook())(
  '$width $lang $theme: an account is asked for, fails at the desk, is made again free, and stays when the package is over',
  async (look) => {
    const t = browserTexts[look.lang]
    const words = createDeskTranslator(look.lang)
    await anOfferedBrowser(db)
    const member = await aMember(look)
    const { page, problems } = member
    const seen = createPageCheck(page, look)
    const { data } = await callAsPayer(member, 'POST', { path: `${PATH}/apply` })
    expect(
      (await callAsPayer(member, 'POST', { path: '/v1/pay/balancePay', input: { orderType: 8, service: data.pay.service, payPassword: PAYER_PIN } })).code,
    ).toBe(200)
    await page.goto(`${server.baseUrl}/browser`)
    const wanted = page.getByRole('button', { name: fill(t['browserMailAsk'], { left: 1 }), exact: true })
    await wanted.click()
    await page.getByText(t['browserMailMaking'], { exact: false }).waitFor()
    expect(await wanted.count()).toBe(0)
    await seen('browser-mail-asked')

    const operator = await anOperator(deps, ['serviceDesk'], { name: 'Zhou Nan' })
    const desk = await at(look, operator)
    const newest = async () => (await callAsPayer(member, 'GET', { path: '/v1/tool/overseaAccount/latest' })).data.account.id as string
    const failedId = await newest()
    await desk.page.goto(`${origin}/services?open=${failedId}`)
    await desk.page.getByRole('button', { name: `${words('services', 'take')}…`, exact: true }).waitFor()
    await createPageCheck(desk.page, look)('browser-desk')
    await runDeskCommand(origin, operator.token, { name: 'service.take', input: { id: failedId } })
    await runDeskCommand(origin, operator.token, { name: 'service.finish', input: { id: failedId, state: 'failed', cause: 'not_made' } })
    const again = page.getByRole('button', { name: t['browserMailAgain'], exact: true })
    await again.waitFor()
    await seen('browser-mail-failed')
    await again.click()
    await page.getByText(t['browserMailMaking'], { exact: false }).waitFor()
    const id = await newest()
    expect(id).not.toBe(failedId)
    await runDeskCommand(origin, operator.token, { name: 'service.take', input: { id } })
    await runDeskCommand(origin, operator.token, {
      name: 'service.finish',
      input: { id, state: 'ready', facts: { address: 'ouyang.xiuwen.2026@mail.example' } },
    })
    await page.getByRole('button', { name: t['browserMailCopy'], exact: true }).click()
    expect(await readCopiedText(page)).toBe('ouyang.xiuwen.2026@mail.example')
    expect(await again.count()).toBe(0)
    await seen('browser-mail-ready')
    await expireTask(member, 'expires_at')
    await page.getByText(t['browserOverPackage'], { exact: true }).waitFor()
    await page.getByText('ouyang.xiuwen.2026@mail.example', { exact: true }).waitFor()
    await seen('browser-mail-over', 'passes')
    expect(await readBalance(member)).toEqual(['5.01', 0n])
    expect([problems, desk.problems]).toEqual([[], []])
    await desk.context.close()
    await member.context.close()
  },
)
